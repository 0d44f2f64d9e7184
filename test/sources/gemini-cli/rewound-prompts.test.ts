import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readHome } from "../../samples/read-home.ts";
import { geminiCli } from "../../../src/sources/gemini-cli/index.ts";
import { open } from "../../../src/library/library.ts";

const TREE = join(
  import.meta.dirname,
  "../../fixtures/corpora/gemini-cli/0.30.0/tui-rewind/.gemini",
);

/** A home of Gemini CLI 0.30 with two rewound prompts and another one after them. */
function rewoundHome(): string {
  const path = join(mkdtempSync(join(tmpdir(), "pollux-rewound-")), ".gemini");
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  cpSync(TREE, path, { recursive: true });
  return path;
}

function promptsIn(path: string, depth: "full" | "outline"): string[] {
  const { sessions } = readHome(geminiCli, { path, because: "a test", isFound: true }, depth);
  const messages = sessions.flatMap((session) => session.messages);
  return messages
    .filter(({ isPrompt }) => isPrompt)
    .map(({ typed, standing, reason }) => [standing, reason, typed].join(" ").trim());
}

const EXPECTED = [
  "live  First question about the notes",
  "rewound rewind Second question",
  "rewound rewind Third question",
  "live  Another second question",
];

describe("prompts that are only in the log", () => {
  test.each(["full", "outline"] as const)("are shown as rewound, in their place (%s)", (depth) => {
    expect(promptsIn(rewoundHome(), depth)).toEqual(EXPECTED);
  });

  test("are not shown as rewound without a rewind", () => {
    const path = rewoundHome();
    const log = join(path, "tmp/ledger/logs.json");
    writeFileSync(log, readFileSync(log, "utf8").replace("/rewind", "/stats"));
    expect(promptsIn(path, "full")).toEqual([EXPECTED[0], EXPECTED[3]]);
  });

  test("are also shown from the archive, with their place in the log and without cost", async () => {
    const path = rewoundHome();
    const archive = join(path, "..", "archive.db");
    const library = open({ roots: [path], archive });
    onTestFinished(() => library.close());
    await library.keep(Date.UTC(2026, 11, 1));
    rmSync(join(path, "tmp"), { recursive: true });
    const { session, messages } = await library.transcript("latest");
    expect(session.messages).toMatchObject({ live: 5, rewound: 2 });
    const taken = messages.filter(({ standing }) => standing === "rewound");
    expect(taken.map(({ text, tokens }) => [text, tokens])).toEqual([
      ["Second question", null],
      ["Third question", null],
    ]);
    expect(taken[0]?.place).toEqual({ file: join(path, "tmp/ledger/logs.json"), line: 9 });
  });
});
