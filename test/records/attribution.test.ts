import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathInProject } from "../../src/records/attribution/attribution.ts";
import { lines, recordOf } from "./made.ts";

const AT = "2026-01-01T00:00:00.000Z";
const header = { sessionId: "s1", projectHash: "h", startTime: AT, lastUpdated: AT };

interface Call {
  name: string;
  args: object;
  output?: string;
  display?: unknown;
  status?: string;
}

let count = 0;

function said(calls: readonly Call[], more: object = {}): object {
  count += 1;
  const toolCalls = calls.map(({ name, args, output = "ok", display, status = "success" }, at) => {
    const id = `${name}-${count}-${at}`;
    const result = [{ functionResponse: { id, name, response: { output } } }];
    return { id, name, args, result, status, resultDisplay: display, timestamp: AT };
  });
  return {
    id: `g${count}`,
    timestamp: AT,
    type: "gemini",
    content: "",
    model: "m-1",
    toolCalls,
    ...more,
  };
}

const NEW = "Successfully created and wrote to new file: a.txt.";
const write = (content: string, output = NEW): Call => {
  return { name: "write_file", args: { file_path: "a.txt", content }, output };
};
const read = (output: string, args: object = {}): Call => {
  return { name: "read_file", args: { file_path: "a.txt", ...args }, output };
};
const replace = (old_string: string, new_string: string, more: object = {}): Call => {
  return { name: "replace", args: { file_path: "a.txt", old_string, new_string, ...more } };
};
const exchange = (originalContent: string | null, newContent: string, args: object = {}): Call => {
  const display = { fileDiff: "", fileName: "a.txt", originalContent, newContent };
  return { ...replace("?", "?", args), display };
};
const shell: Call = { name: "run_shell_command", args: { command: "make" } };

interface Attributed {
  ranges: [number, number][];
  note: Record<string, unknown> | undefined;
  hashes: string[];
  types: (string | undefined)[];
}

interface Conversation {
  contributor?: { type: string };
  ranges: {
    "start-line": number;
    "end-line": number;
    "content-hash": string;
    contributor?: { type: string };
  }[];
}

async function attributed(...messages: readonly object[]): Promise<Attributed> {
  const record = await recordOf(lines(header, ...messages));
  const actual = record["file-attribution"] as
    | { files: { path: string; conversations: Conversation[] }[] }
    | undefined;
  const notes = record["x-attribution"] as { files: Record<string, unknown>[] } | undefined;
  const [conversation] = actual?.files.find(({ path }) => path === "a.txt")?.conversations ?? [];
  const ranges = conversation?.ranges ?? [];
  return {
    ranges: ranges.map((range) => [range["start-line"], range["end-line"]]),
    note: notes?.files.find(({ path }) => path === "a.txt"),
    hashes: ranges.map((range) => range["content-hash"]),
    types: ranges.map((range) => (range.contributor ?? conversation?.contributor)?.type),
  };
}

describe("attribution", () => {
  it("of a new file covers all of it, with the hash of its lines", async () => {
    const { ranges, hashes, note } = await attributed(said([write("one\ntwo\n")]));
    expect(ranges).toEqual([[1, 2]]);
    expect(hashes).toEqual([createHash("sha256").update("one\ntwo").digest("hex")]);
    expect(note).toEqual({
      path: "a.txt",
      known: true,
      "as-of": expect.stringContaining("write_file") as string,
      "shell-ran-after": false,
    });
  });

  it("of an edit covers the changed lines, not the quoted context", async () => {
    const { ranges } = await attributed(
      said([read("a\nb\nc\nd\ne\n")]),
      said([replace("b\nc\nd", "b\nC\nC2\nd")]),
    );
    expect(ranges).toEqual([[3, 4]]);
  });

  it("moves with lines inserted before it", async () => {
    const { ranges } = await attributed(
      said([read("a\nb\nc\n")]),
      said([replace("c\n", "X\n")]),
      said([replace("a\n", "a0\na1\na\n")]),
    );
    expect(ranges).toEqual([
      [1, 2],
      [5, 5],
    ]);
  });

  it("prefers recorded texts over its own computation", async () => {
    const { ranges } = await attributed(
      said([exchange("a\nb\n", "a\nB\n")]),
      said([shell]),
      // Someone else inserted a line at the beginning in between.
      said([exchange("zero\na\nB\n", "zero\na\nB\nC\n")]),
    );
    expect(ranges).toEqual([[3, 4]]);
  });

  it("covers all replaced occurrences if allowed, and is unknown if there are too many", async () => {
    const text = said([read("x\ny\nx\n")]);
    expect(
      (await attributed(text, said([replace("x", "z", { allow_multiple: true })]))).ranges,
    ).toEqual([
      [1, 1],
      [3, 3],
    ]);
    const twice = replace("x", "z", { expected_replacements: 2 });
    expect((await attributed(text, said([twice]))).ranges).toHaveLength(2);
    const once = await attributed(text, said([replace("x", "z")]));
    expect(once.ranges).toEqual([]);
    expect(once.note).toMatchObject({ known: false });
  });

  it("is mixed if a person modified the edit", async () => {
    const mixed = exchange("a\n", "b\n", { modified_by_user: true });
    expect((await attributed(said([mixed]))).types).toEqual(["mixed"]);
    const both = await attributed(
      said([exchange("a\nx\nc\n", "b\nx\nc\n")]),
      said([exchange("b\nx\nc\n", "b\nx\nd\n", { modified_by_user: true })]),
    );
    expect(both.types).toEqual(["ai", "mixed"]);
  });

  it.each<[string, Call[], string]>([
    [
      "an edit of a text that was never read",
      [replace("a", "b")],
      "before the edit is not recorded",
    ],
    ["an edit of a text that does not occur", [read("a\n"), replace("q", "b")], "does not occur"],
    [
      "an edit after a partial read",
      [read("a\n", { limit: 1 }), replace("a", "b")],
      "not recorded",
    ],
    [
      "an edit after a truncated read",
      [read("\nIMPORTANT: The file content has been truncated.\na"), replace("a", "b")],
      "not recorded",
    ],
    [
      "an overwritten file",
      [write("a\n", "Successfully overwrote file: a.txt.")],
      "overwritten is not recorded",
    ],
  ])("is not invented for %s", async (_, calls, why) => {
    const { ranges, note } = await attributed(said(calls));
    expect(ranges).toEqual([]);
    expect(note).toMatchObject({ known: false, "why-not": expect.stringContaining(why) as string });
  });

  it("ignores failed and refused edits, and is absent without edits", async () => {
    const failed = { ...write("x\n"), status: "error" };
    const refused = { ...write("x\n"), status: "cancelled" };
    expect((await attributed(said([failed, refused]))).note).toBeUndefined();
    const record = await recordOf(lines(header, said([read("a\n"), shell])));
    expect(record["file-attribution"]).toBeUndefined();
  });

  it("is unknown after a rewound edit until the text is recorded again", async () => {
    const edit = said([exchange("a\n", "b\n")], { id: "gone" });
    const doubt = await attributed(edit, { $rewindTo: "gone" });
    expect(doubt.ranges).toEqual([]);
    expect(doubt.note).toMatchObject({ known: false });
    const restored = await attributed(
      edit,
      { $rewindTo: "gone" },
      said([exchange("a\n", "a\nc\n")]),
    );
    expect(restored.ranges).toEqual([[2, 2]]);
    expect(restored.note).toMatchObject({ known: true });
  });

  it("counts a call once, however often it was recorded", async () => {
    const twice = said([write("a\n")]);
    expect((await attributed(twice, twice)).ranges).toEqual([[1, 1]]);
  });

  it("notes whether a command ran afterwards", async () => {
    expect((await attributed(said([write("a\n"), shell]))).note).toMatchObject({
      "shell-ran-after": true,
    });
    expect((await attributed(said([write("a\n"), shell, read("a\n")]))).note).toMatchObject({
      "shell-ran-after": false,
    });
  });
});

describe("attribution compared with git", () => {
  const START = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of the file`).join("\n");
  const EDITS: [string, string][] = [
    ["line 3 of the file", "line 3, changed"],
    [
      "line 10 of the file\nline 11 of the file\n",
      "line 10 of the file\nnew A\nnew B\nline 11 of the file\n",
    ],
    ["line 20 of the file\n", ""],
    ["line 30 of the file\nline 31 of the file", "thirty\nthirty-one\nthirty-one and a half"],
    ["new A", "new A, again"],
    ["line 40 of the file\n", "line 40 of the file\nthe end\n"],
  ];

  it("names the same lines as git diff", async ({ skip }) => {
    if (spawnSync("git", ["--version"]).status !== 0) skip("git is not installed");
    const folder = mkdtempSync(join(tmpdir(), "pollux-git-"));
    const git = (...args: string[]): string => {
      const identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
      const run = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
      if (run.status !== 0) throw new Error(run.stderr);
      return run.stdout;
    };
    const before = `${START}\n`;
    writeFileSync(join(folder, "a.txt"), before);
    git("init", "-q");
    git("add", "a.txt");
    git("commit", "-q", "-m", "start");
    const after = EDITS.reduce((text, [old, fresh]) => text.replace(old, fresh), before);
    writeFileSync(join(folder, "a.txt"), after);
    const hunks = [...git("diff", "-U0").matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
    const changed = hunks.flatMap((hunk) => {
      const start = Number(hunk[1]);
      const lineCount = Number(hunk[2] ?? 1);
      return lineCount === 0 ? [] : [[start, start + lineCount - 1]];
    });
    const edits = EDITS.map(([old, fresh]) => said([replace(old, fresh)]));
    const { ranges, hashes } = await attributed(said([read(before)]), ...edits);
    expect(ranges).toEqual(changed);
    const own = ranges.map(([from, to]) =>
      after
        .split("\n")
        .slice(from - 1, to)
        .join("\n"),
    );
    expect(hashes).toEqual(own.map((text) => createHash("sha256").update(text).digest("hex")));
  });
});

describe("paths", () => {
  it.each([
    ["a.txt", undefined, "a.txt"],
    ["./src/../a.txt", "/p", "a.txt"],
    ["/p/src/a.txt", "/p", "src/a.txt"],
    ["/p2/a.txt", "/p", "/p2/a.txt"],
    ["/p/a.txt", undefined, "/p/a.txt"],
    ["C:\\p\\src\\a.txt", "C:\\p", "src/a.txt"],
    ["D:\\x\\a.txt", "C:\\p", "D:\\x\\a.txt"],
  ])("%s in %s is %s", (path, project, wanted) => {
    expect(pathInProject(path, project)).toBe(wanted);
  });
});
