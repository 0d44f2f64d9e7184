// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ReadHome } from "../../samples/read-home.ts";
import { readHome } from "../../samples/read-home.ts";
import { codex } from "../../../src/sources/codex/index.ts";
import type { Depth } from "../../../src/sources/source.ts";
import type { CorpusTree } from "../../corpora/trees.ts";
import { corpusTrees } from "../../corpora/trees.ts";

const home = mkdtempSync(join(tmpdir(), "pollux-codex-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ID = "01a1e100-7dce-7242-b27a-31c67107c4f6";
const NAME = `sessions/2026/11/15/rollout-2026-11-15T20-57-48-${ID}.jsonl`;
let homes = 0;

/** A home with these files, by path. */
function homeOf(files: Record<string, string | Buffer>): string {
  const root = join(home, String((homes += 1)));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

function read(root: string, depth: Depth = "full"): ReadHome {
  return readHome(codex, { path: root, because: "test", isFound: true }, depth);
}

function line(type: string, payload: unknown, more: object = {}): string {
  return `${JSON.stringify({ timestamp: "2026-11-15T20:57:48.636Z", ...more, type, payload })}\n`;
}

const HEADER = line("session_meta", { id: ID, timestamp: "2026-11-15T20:57:48.263Z", cwd: "/p" });
const START = line("event_msg", { type: "task_started", turn_id: ID });
const PROMPT = line("event_msg", { type: "user_message", message: "Hello." });

function counter(input: number, output: number): string {
  const usage = {
    input_tokens: input,
    cached_input_tokens: 0,
    output_tokens: output,
    reasoning_output_tokens: 0,
    total_tokens: input + output,
  };
  const info = { total_token_usage: usage, last_token_usage: usage };
  return line("event_msg", { type: "token_count", info });
}

describe("damage is reported and hides nothing else", () => {
  test("an item of a document", () => {
    const text = (of: string): object => ({
      type: "message",
      role: "user",
      content: [{ text: of }],
    });
    const items = [text("One"), text("Two"), text("Three")];
    const document = JSON.stringify({ session: { id: ID }, items }, null, 1);
    const name = `sessions/rollout-2026-11-15-${ID}.json`;
    const { sessions, diagnostics } = read(homeOf({ [name]: document.replace("Two", "\0\0\0") }));
    expect(sessions[0]?.messages.map((message) => message.text)).toEqual(["One", "Three"]);
    const at = document.slice(0, document.indexOf('"Two"')).split("\n").length - 5;
    expect(diagnostics).toMatchObject([{ code: "bad-element", severity: "damage", line: at }]);
  });

  test.each(["usage", "outline", "full"] as const)("text that is not UTF-8, depth %s", (depth) => {
    const text = Buffer.from(line("response_item", { type: "reasoning", text: "caf\u00ff" }));
    const cut = Buffer.from(text.toString("latin1").replace("\u00c3\u00bf", "\u00e9"), "latin1");
    const parts = [HEADER, START, PROMPT, cut, counter(5, 1)].map((part) => Buffer.from(part));
    const { diagnostics } = read(homeOf({ [NAME]: Buffer.concat(parts) }), depth);
    expect(diagnostics).toMatchObject([{ code: "invalid-utf8", severity: "repair", line: 4 }]);
  });

  const cases: [string, string, string[]][] = [
    ["a line that is not JSON", `${HEADER}${START}nonsense\n${counter(5, 1)}`, ["bad-line"]],
    ["a torn last line", `${HEADER}${START}${counter(5, 1)}{"timest`, ["torn-line"]],
    ["NUL bytes", `${HEADER}${START}\0\0\0\n${counter(5, 1)}`, ["nul-bytes"]],
    [
      "two records on one line",
      `${HEADER}${START}{"timestamp":"2026","type":"response_item","pa${counter(5, 1)}`,
      ["glued-line"],
    ],
    [
      "two records on one line, after a key with escapes",
      HEADER +
        line("event_msg", { type: "task_started", turn_id: ID }).replace("type", "ty\\u0070e") +
        line("response_item", { type: "compaction" }).trimEnd() +
        counter(5, 1),
      ["glued-line"],
    ],
    [
      "an unknown kind",
      `${HEADER}${START}${line("novelty", {})}${counter(5, 1)}`,
      ["unknown-entry"],
    ],
    [
      "an unknown event",
      `${HEADER}${START}${line("event_msg", { type: "x" })}${counter(5, 1)}`,
      ["unknown-entry"],
    ],
    [
      "invalid counts",
      `${HEADER}${START}${counter(-7, 1)}${counter(1.5, 1)}${counter(5, 1)}`,
      ["bad-tokens", "bad-tokens"],
    ],
  ];

  test.each(cases)("%s", (_, content, codes) => {
    const root = homeOf({ [NAME]: content });
    const { sessions, diagnostics } = read(root);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(
      diagnostics.every(
        (diagnostic) => diagnostic.file.endsWith(NAME) && diagnostic.line !== undefined,
      ),
    ).toBe(true);
    expect(sessions.map(({ replies }) => replies.map(({ counts }) => counts.total))).toEqual([[6]]);
    expect(read(root, "usage").sessions[0]?.replies).toEqual(sessions[0]?.replies);
  });

  test.each([
    ["an empty file", "", "empty-file"],
    ["something else", "once upon a time\n", "unknown-format"],
    ["a list", "[1, 2, 3]\n", "unknown-format"],
  ])("%s has no session", (_, content, code) => {
    const { sessions, diagnostics } = read(homeOf({ [NAME]: content }));
    expect(sessions).toEqual([]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  });

  /** Zstandard blocks that each expand to 128 KiB of one byte. */
  function bombOf(blocks: number, header: readonly number[]): Buffer {
    const block = (128 * 1024 * 8) | (1 << 1);
    const bytes = [block & 255, (block >> 8) & 255, (block >> 16) & 255, 0x61];
    return Buffer.from([
      0x28,
      0xb5,
      0x2f,
      0xfd,
      ...header,
      ...Array.from({ length: blocks }, () => bytes).flat(),
    ]);
  }

  test.each([
    ["that unpacks to gigabytes", bombOf(16_000, [0x00, 0x38])],
    ["that asks for a window of gigabytes", bombOf(10, [0x00, 0xa8])],
    ["that claims to hold petabytes", bombOf(10, [0xe0, 0, 0, 0, 0, 0, 0, 8, 0])],
  ])("a compressed file %s is rejected", (_what, packed) => {
    const { sessions, diagnostics } = read(homeOf({ [`${NAME}.zst`]: packed }));
    expect(sessions).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain("truncated-document");
  });

  test("a truncated compressed file gives what could be decompressed", () => {
    const zst = corpusTrees("codex").find(({ name }) => name === "0.166.0/zst");
    const path = zst && filesBelow(zst.folder).find((file) => file.endsWith(".zst"));
    if (!path) throw new Error("The committed corpus has a packed file.");
    const packed = readFileSync(path);
    const whole = read(homeOf({ [`${NAME}.zst`]: packed }));
    expect(whole.diagnostics).toEqual([]);
    for (const share of [0, 0.1, 0.5, 0.99]) {
      const cut = packed.subarray(0, Math.floor(packed.length * share));
      const { diagnostics } = read(homeOf({ [`${NAME}.zst`]: cut }));
      expect(diagnostics.length).toBeGreaterThan(0);
    }
    const noise = Buffer.from(packed.map((byte, at) => (at % 97 === 50 ? byte ^ 0x55 : byte)));
    expect(() => read(homeOf({ [`${NAME}.zst`]: noise }))).not.toThrow();
  });

  test("deeply nested values and values of any type are harmless", () => {
    const deep = `${"[".repeat(3000)}${"]".repeat(3000)}`;
    const odd = [deep, "null", "7", '"x"', "[]", "{}", "true"];
    const types = "session_meta turn_context response_item event_msg compacted token_usage_record";
    const lines = types.split(" ").flatMap((type) => {
      const payloads = [...odd, ...odd.map((value) => payloadOf(value))];
      return payloads.map((value) => `{"timestamp":"2026","type":"${type}","payload":${value}}\n`);
    });
    const root = homeOf({ [NAME]: HEADER + START + lines.join("") + PROMPT + counter(5, 1) });
    expect(read(root).sessions[0]?.replies.map(({ counts }) => counts.total)).toEqual([6]);
    expect(read(root, "usage").sessions[0]?.replies).toEqual(read(root).sessions[0]?.replies);
  });

  test("cyclic history bases end", () => {
    const other = "01a1e100-7dce-7242-b27a-31c67107c4f7";
    const base = (id: string, of: string): string => {
      return line(
        "session_meta",
        { id, history_base: { thread_id: of, end_ordinal_exclusive: 9 } },
        { ordinal: 0 },
      );
    };
    const root = homeOf({
      [NAME]: base(ID, other) + PROMPT,
      [NAME.replace(ID, other)]: base(other, ID) + PROMPT,
    });
    expect(
      read(root)
        .sessions.map(({ id }) => id)
        .toSorted(),
    ).toEqual([ID, other]);
  });
});

/** The value in every field that the reader uses. */
function payloadOf(value: string): string {
  const keys =
    "id type role content call_id output arguments input item info message usage source git".split(
      " ",
    );
  return `{${[...keys, "history_base", "replacement_history", "turn_id", "num_turns", "changes"]
    .map((key) => `"${key}":${value}`)
    .join(",")}}`;
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A seeded generator: the same numbers in every run. */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mutated(bytes: Buffer, draw: (below: number) => number): Buffer {
  const lines = bytes.toString("latin1").split(/(?<=\n)/);
  const at = draw(lines.length);
  const chosen = lines[at] ?? "";
  const offset = draw(chosen.length);
  const kinds: (() => string[])[] = [
    () => lines.slice(0, at).concat(chosen.slice(0, offset)),
    () => lines.toSpliced(at, 1),
    () => lines.toSpliced(at, 0, chosen),
    () => lines.with(at, chosen.slice(0, offset)),
    () => lines.with(at, chosen.replace("\n", "")),
    () => lines.with(at, `${chosen.slice(0, offset)}\0${chosen.slice(offset + 1)}`),
    () => lines.with(at, `${chosen.slice(0, offset)}\xff${chosen.slice(offset + 1)}`),
    () => lines.with(at, chosen.replace(/\d/, String(draw(10)))),
    () => lines.with(at, "\n"),
    () => lines.toSpliced(at, 1).toSpliced(draw(lines.length), 0, chosen),
  ];
  return Buffer.from((kinds[draw(kinds.length)]?.() ?? lines).join(""), "latin1");
}

function mutatedHome(tree: CorpusTree, seed: number): string {
  const draw = drawer(seed);
  const [folder = tree.folder] = tree.roots;
  const paths = filesBelow(folder);
  const rollouts = paths.filter((path) => path.endsWith(".jsonl") && path.includes("rollout-"));
  const victim = rollouts[draw(rollouts.length)];
  return homeOf(
    Object.fromEntries(
      paths.map((path) => {
        const bytes = readFileSync(path);
        return [relative(folder, path), path === victim ? mutated(bytes, draw) : bytes];
      }),
    ),
  );
}

const SEEDS = 12;

describe("damaged files cause no exception and give the same replies and diagnostics at every depth", () => {
  const trees = corpusTrees("codex").filter(({ isCommitted }) => isCommitted);

  test.each(trees)("$name", (tree) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const root = mutatedHome(tree, seed * 7919);
      const readAt = (depth: Depth) => {
        const { sessions, diagnostics } = read(root, depth);
        return { replies: sessions.map(({ id, replies }) => ({ id, replies })), diagnostics };
      };
      const full = readAt("full");
      expect(readAt("usage"), `seed ${seed}`).toEqual(full);
      expect(readAt("outline"), `seed ${seed}`).toEqual(full);
      rmSync(root, { recursive: true });
    }
  });
});
