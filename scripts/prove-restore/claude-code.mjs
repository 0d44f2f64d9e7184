import { proveBySending, QUESTION, SHOWN } from "./compare-sent.mjs";

const cases = [
  ["1.0.60/subagent", "1.0.110"],
  ["1.0.128/tui-resume", "1.0.128"],
  ["1.0.128/tools", "2.1.325"],
  ["2.0.0/resume", "2.1.325"],
  ["2.0.77/fork", "2.1.325"],
  ["2.0.77/tui-rewind", "2.1.325"],
  ["2.0.77/tui-compact", "2.1.200"],
  ["2.0.77/unicode", "2.1.325"],
  ["2.1.14/subagent", "2.1.50"],
  ["2.1.100/mcp", "2.1.200"],
  ["2.1.325/fork", "2.1.325"],
  ["2.1.325/image", "2.1.325"],
  ["2.1.325/kill", "2.1.325"],
  ["2.1.325/parallel", "2.1.325"],
  ["2.1.325/subagent", "2.1.325"],
  ["2.1.325/tui-branch", "2.1.325"],
  ["2.1.325/tui-compact", "2.1.325"],
  ["2.1.325/tui-rewind", "2.1.325"],
];

const check = `
scenarios.check = {
  description: "The list of sessions that are there; then each of them is resumed.",
  script: () => ({ main: Array.from({ length: 60 }, () => ({ text: "Checked." })) }),
  async run(ctx) {
    const t = await ctx.tui(["--resume", ...SKIP]);
    // On a busy machine the list takes its time.
    for (let tries = 0; tries < 30 && !${SHOWN}.test(t.screen()); tries += 1) await ctx.sleep(1000);
    await ctx.sleep(2000);
    ctx.truth.list = t.screen();
    t.end();
    for (const id of process.env.CHECK_IDS.split(",")) {
      await ask(ctx, ${JSON.stringify(QUESTION)}, ["--resume", id]);
    }
  },
};
`;

export function prove(options) {
  const parts = { home: ".claude", cases, check, sentIn, namesIn, wordsOf };
  return proveBySending("claude-code", parts, options);
}

function sentIn({ truth }) {
  const asked = truth.requests.filter(({ kind, sent }) => {
    return kind === "main" && sent.some((text) => text.includes(QUESTION));
  });
  return asked.map(({ sent }) => sent);
}

/** A history without the date, which changes between runs. */
function wordsOf(history) {
  return history.map((text) => text.replace(/(Today's date is )[\d-]+/, "$1DATE"));
}

/**
 * The entries of the list. Ages change between runs; files below a kilobyte are empty or hold the
 * title of another session, so they are not sessions and are not restored.
 */
function namesIn(list) {
  const lines = list.split("\n").map((line) => line.replace(/^[❯\s]+/, "").trimEnd());
  const rows = lines.filter((line) => /^\d+\. .* ago /.test(line));
  const old = rows.map((line) => line.replace(/^\d+\.|\d+ ?\w+ ago/g, "").replace(/\s+/g, " "));
  const titles = lines.filter((_line, at) => / · .*\d[KM]B/.test(lines[at + 1] ?? ""));
  return [...old, ...titles].toSorted((a, b) => a.localeCompare(b, "en"));
}
