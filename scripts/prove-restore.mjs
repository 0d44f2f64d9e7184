// Proves with an agent's real program that restored sessions are listed, can be resumed, and are
// remembered.
//
//   LAB=DIR node scripts/prove-restore.mjs --agent NAME --tool FAKE_API --work DIR [--only CASE]
//                                          [--record]
//
// NAME is a file in `prove-restore`. FAKE_API is a folder with `run.sh VERSION SCENARIO OUT`, which
// starts the program of that version on a seeded home against a scripted API, and records what it
// listed and sent; LAB has the installed versions. LAB and --work must not be below /tmp, which the
// program sees empty. It needs root and namespaces. --record writes the results, so that tests can
// compare without the program.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { prove as proveClaudeCode } from "./prove-restore/claude-code.mjs";
import { prove as proveCodex } from "./prove-restore/codex.mjs";
import { prove as proveGeminiCli } from "./prove-restore/gemini-cli.mjs";
import { prove as proveQwenCode } from "./prove-restore/qwen-code.mjs";

const AGENTS = new Map([
  ["gemini-cli", proveGeminiCli],
  ["claude-code", proveClaudeCode],
  ["codex", proveCodex],
  ["qwen-code", proveQwenCode],
]);
const { values: options } = parseArgs({
  options: {
    agent: { type: "string" },
    tool: { type: "string" },
    work: { type: "string" },
    only: { type: "string", default: "" },
    dist: { type: "string", default: join(import.meta.dirname, "../dist") },
    record: { type: "boolean", default: false },
  },
});
const { agent, tool, work, dist } = options;
const prove = AGENTS.get(agent);
if (!prove || tool === undefined || work === undefined) {
  console.error(
    `Name one of ${[...AGENTS.keys()].join(", ")} with --agent, the folder of the scripted API with --tool, ` +
      "and one to work in with --work.",
  );
  process.exit(2);
}
const given = { ...options, tool: resolve(tool), work: resolve(work), dist: resolve(dist) };
const { proved, failed } = await prove(given);
console.log(`${proved} sessions are proved, ${failed} are not.`);
process.exitCode = failed > 0 ? 1 : 0;
