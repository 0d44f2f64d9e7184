import { proveBySending, QUESTION, SHOWN } from "./compare-sent.mjs";

const cases = [
  ["0.130.0/tui-backtrack", "0.130.0"],
  ["0.130.0/tui-fork", "0.166.0"],
  ["0.130.0/tools", "0.166.0"],
  ["0.147.0/tui-interrupt", "0.166.0"],
  ["0.166.0/autocompact", "0.166.0"],
  ["0.166.0/exec-fork", "0.166.0"],
  ["0.166.0/migrate", "0.166.0"],
  ["0.166.0/revert", "0.166.0"],
  ["0.166.0/tui-backtrack", "0.166.0"],
  ["0.166.0/zst", "0.166.0"],
];

const check = `
scenarios.check = {
  description: "The list of sessions that are there; then each of them is resumed.",
  script: () => ({ main: Array.from({ length: 20 }, () => ({ text: "Checked." })) }),
  run: async (c) => {
    const t = await c.tui([], { sub: ["resume"] });
    // On a busy machine the list takes its time.
    for (let tries = 0; tries < 30 && !${SHOWN}.test(t.screen()); tries += 1) await c.sleep(1000);
    await c.sleep(2000);
    c.truth.list = t.screen();
    await t.kill();
    t.end();
    for (const id of process.env.CHECK_IDS.split(",")) {
      await c.exec(${JSON.stringify(QUESTION)}, { sub: ["resume", id], timeoutMs: 60000 });
    }
  },
};
`;

/** The compared fields of an item; ids of turns and messages are new each time. */
const KEPT = "type role content name namespace arguments input call_id output summary".split(" ");

export function prove(options) {
  const parts = { home: ".codex", cases, check, sentIn, namesIn, wordsOf };
  return proveBySending("codex", parts, options);
}

/** The whole history of each request with the question. */
function sentIn({ bodies }) {
  return bodies.flatMap((body) => {
    const history = (body.input ?? []).map((item) => {
      return Object.fromEntries(KEPT.flatMap((key) => (key in item ? [[key, item[key]]] : [])));
    });
    return JSON.stringify(history.at(-1) ?? "").includes(QUESTION) ? [history] : [];
  });
}

/** The texts of a history, one line per item, without the date, which changes between runs. */
function wordsOf(history) {
  return history.map(({ type, role, content, name, call_id: callId }) => {
    const words = (Array.isArray(content) ? content : []).map(({ text }) => text ?? "[picture]");
    const item = [type, role, name, callId, words.join(" ").slice(0, 80)].filter(Boolean);
    return item.join(" ").replace(/(<current_date>)[\d-]+/, "$1DATE");
  });
}

/** The entries of the list, without their ages, which change between runs. */
function namesIn(list) {
  const lines = list.split("\n").map((line) => line.replace(/^[\s>❯│]+/, "").trimEnd());
  const rows = lines.filter((line) => / ago\b/.test(line));
  const names = rows.map((line) =>
    line
      .replace(/.*\bago\b/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return names.toSorted();
}
