// Generates the table of `docs/guide/handover.md` from the recorded results.
import { AGENTS, storiesOf } from "./stories.mjs";

/** The target versions, as columns. */
export const VERSIONS = {
  "gemini-cli 0.61.0": "Gemini CLI 0.61.0",
  "claude-code 2.1.325": "Claude Code 2.1.325",
  "claude-code 2.0.77": "Claude Code 2.0.77",
  "codex 0.166.0": "Codex 0.166.0",
  "codex 0.130.0": "Codex 0.130.0",
  "qwen-code 0.24.4": "Qwen Code 0.24.4",
};

const NAMES = {
  "gemini-cli": "Gemini CLI",
  "claude-code": "Claude Code",
  codex: "Codex",
  "qwen-code": "Qwen Code",
};

const ROWS = [
  ["plain, tools, errors (recorded)", ["plain", "tools", "errors"]],
  [
    "interrupted: answers and tools that were stopped, calls that were refused (recorded)",
    ["interrupted"],
  ],
  ["compacted, rewound, subagents (recorded)", ["compacted", "rewound", "subagents"]],
  ["parallel calls, 300 messages (made)", ["parallel", "long"]],
  ["pictures in prompts and in results (made) ¹", ["pictures"]],
  ["`--tools as-text` and `--fit`, from one agent", ["tools as text", "300 messages shortened"]],
  [
    "hostile (made): marks of every program, control characters, odd ids and paths, orders in tool output",
    ["hostile"],
  ],
];

/** All pairs and stories to prove for a version. */
export function wantedFor(target) {
  const to = target.split(" ")[0];
  return Object.keys(AGENTS)
    .filter((from) => from !== to)
    .flatMap((from) => storiesOf(from, to).map(({ name }) => ({ target, from, story: name })));
}

/** How many of the conversations were proved for each version. */
export function proofTable(cases) {
  return tableOf("conversation", ROWS, (target, stories) => {
    return shareOf(cases, target, ({ story }) => stories.includes(story));
  });
}

/** The same by pairs, only for cases that also checked the agent's own sessions. */
export function pairsTable(cases) {
  const agents = Object.keys(AGENTS).map((agent) => [NAMES[agent], agent]);
  const full = cases.filter(({ ownSessions }) => ownSessions !== undefined);
  return tableOf("from", agents, (target, agent) => {
    return shareOf(full, target, ({ from }) => from === agent);
  });
}

function shareOf(cases, target, isAsked) {
  const wanted = wantedFor(target).filter(isAsked);
  if (wanted.length === 0) return "–";
  return `${cases.filter((proof) => proof.target === target && isAsked(proof)).length} of ${wanted.length}`;
}

function tableOf(title, rows, cellOf) {
  const head = [title, ...Object.values(VERSIONS)];
  const cells = rows.map(([label, what]) => {
    return [label, ...Object.keys(VERSIONS).map((target) => cellOf(target, what))];
  });
  const [first, ...rest] = [head, ...cells].map((row) => `| ${row.join(" | ")} |\n`);
  return [first, `${"|---".repeat(head.length)}|\n`, ...rest].join("");
}
