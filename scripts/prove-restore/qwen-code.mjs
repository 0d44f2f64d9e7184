import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proveBySending, QUESTION, SHOWN } from "./compare-sent.mjs";

const cases = [
  ["0.5.0/resume", "0.24.4"],
  ["0.5.0/tui-compress", "0.24.4"],
  ["0.15.10/subagent-bg", "0.24.4"],
  ["0.15.10/tui-rewind", "0.15.10"],
  ["0.21.2/fork", "0.24.4"],
  ["0.24.4/resume", "0.24.4"],
  ["0.24.4/subagent", "0.24.4"],
  ["0.24.4/tui-compress", "0.24.4"],
  ["0.21.2/tui-rename", "0.24.4"],
  ["0.24.4/tui-rewind", "0.24.4"],
];

const check = `
scenarios.check = {
  description: "The list of sessions that are there; then each of them is resumed.",
  keepContents: true,
  script: () => ({ main: Array.from({ length: 60 }, () => ({ text: "Checked." })), side: {} }),
  async run(c) {
    const t = await c.tui([...Y, "--resume"]);
    // On a busy machine the list takes its time.
    for (let tries = 0; tries < 30 && !${SHOWN}.test(t.screen()); tries += 1) await sleep(1000);
    await sleep(1000);
    c.truth.list = t.screen();
    t.key("Escape");
    await sleep(500);
    t.kill();
    for (const id of process.env.CHECK_IDS.split(",")) {
      await c.cli([...Y, "--resume", id, "-p", ${JSON.stringify(QUESTION)}]);
    }
  },
};
`;

export function prove(options) {
  const parts = { home: ".qwen", cases, check, changeTool, sentIn, namesIn, wordsOf };
  return proveBySending("qwen-code", parts, options);
}

/** Its tool starts with an empty home; the changed copy uses the seeded one. */
function changeTool(folder) {
  const path = join(folder, "run.sh");
  const before = readFileSync(path, "utf8");
  const seeded = 'rm -rf "$home"\nmkdir -p "$home/.qwen" && cp -a "$SEED_TREE/." "$home/.qwen/"\n';
  const owned = 'chown -R 1815:1815 "$home"';
  const text = before.replace('rm -rf "$home"\n', seeded).replace('chown 1815:1815 "$home"', owned);
  writeFileSync(path, text);
}

/** The history of each request with the question, without the system prompt. */
function sentIn({ bodies }) {
  return bodies.flatMap(({ messages = [] }) => {
    const history = messages.filter(({ role }) => role !== "system").map(plain);
    return JSON.stringify(history.at(-1) ?? "").includes(QUESTION) ? [history] : [];
  });
}

function plain({ role, content, tool_calls: calls, tool_call_id: callId }) {
  const text = typeof content === "string" ? content : JSON.stringify(content ?? "");
  const asked = (calls ?? []).map(({ id, function: { name } }) => `${name} ${id}`);
  return { role, text, calls: asked, ...(callId === undefined ? {} : { callId }) };
}

/** The texts of a history, one line per message, without the date, which changes between runs. */
function wordsOf(history) {
  return history.map(({ role, text, calls, callId }) => {
    const words = text
      .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
      .replace(/(Today's date is )[^(]+/, "$1DATE ")
      .trim();
    return [role, callId, words.slice(0, 400), ...calls.map((call) => `[call ${call}]`)]
      .filter(Boolean)
      .join(" ");
  });
}

/** The entries of the list, without their ages, which change between runs. */
function namesIn(list) {
  const lines = list
    .split("\n")
    .map((line) => line.replace(/^[\s›>❯│•]+/, "").replace(/[│\s]+$/, ""));
  const titles = lines.filter((_line, at) => /\bago\b|just now/.test(lines[at + 1] ?? ""));
  return titles.toSorted();
}
