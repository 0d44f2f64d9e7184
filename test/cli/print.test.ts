import * as fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { counted, duration, exact, shortNumber, size } from "../../src/cli/print/figures.ts";
import { writeJsonList, writeJsonValue } from "../../src/cli/print/json.ts";
import { safeJson } from "../../src/exports/json-text.ts";
import { safeLine } from "../../src/cli/print/safe.ts";
import { hitLine } from "../../src/cli/print/search.ts";
import { idStarts, shortId, shownIds } from "../../src/cli/print/session-list.ts";
import { colourMode, Style } from "../../src/cli/print/style.ts";
import { tableLines } from "../../src/cli/print/table.ts";
import { fit, pad, widthOf, wrap } from "../../src/cli/print/width.ts";
import { Writer } from "../../src/cli/print/writer.ts";

async function json(value: unknown): Promise<{ text: string; longest: number }> {
  const pieces: string[] = [];
  const write = (piece: string): boolean => pieces.push(piece) > 0;
  await writeJsonValue(new Writer({ write, once: () => undefined }), value);
  return { text: pieces.join(""), longest: Math.max(...pieces.map(({ length }) => length)) };
}

/** Replaces strings by their printable ASCII characters, which are not escaped. */
function onlyAscii(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/[^ -~]/g, "") : value;
}

describe("JSON", () => {
  it("writes the values that JSON.stringify would write", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
        const { text } = await json(value);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("is formatted like JSON.stringify", async () => {
    const value = {
      a: [1, "x", null, []],
      b: {},
      c: { d: true },
      e: undefined,
      "f g": [undefined],
    };
    expect((await json(value)).text).toBe(`${JSON.stringify(value, undefined, 2)}\n`);
  });

  it("is formatted like JSON.stringify for long and deep values", async () => {
    const word = fc.string({ unit: "grapheme-ascii" });
    const plain = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value, onlyAscii)));
    await fc.assert(
      fc.asyncProperty(plain, word, fc.integer({ min: 0, max: 12 }), async (inner, key, depth) => {
        let value: unknown = inner;
        for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { [key]: value };
        const long = { list: Array.from({ length: 600 }, (_, number) => ({ number, value })) };
        for (const each of [value, long]) {
          expect((await json(each)).text).toBe(`${JSON.stringify(each, undefined, 2)}\n`);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("writes a list in parts like a whole list", async () => {
    const item = { id: "a", nested: { list: [1, { x: "\u202e" }] }, none: [] };
    const others = { total: 3, absent: undefined, coverage: { files: 1 } };
    for (const parts of [[], [[]], [[item]], [[item, item], [], [item]]]) {
      const pieces: string[] = [];
      const write = (piece: string): boolean => pieces.push(piece) > 0;
      const sessions = (async function* () {
        yield* parts;
      })();
      const out = new Writer({ write, once: () => undefined });
      await writeJsonList(out, { name: "sessions", parts: sessions }, others);
      expect(pieces.join("")).toBe(
        (await json({ sessions: parts.flat(), schemaVersion: 2, ...others })).text,
      );
    }
  });

  it("escapes control and invisible characters", async () => {
    const hostile = "\x1b[31m\x7f\x9b\u202e\u200b\u200d\ufeff\u2028\u{e0041}\ud800é日🙂";
    const { text } = await json({ [hostile]: hostile });
    expect(text.replaceAll("\n", "")).toMatch(/^[ -~é日🙂]*$/u);
    expect(JSON.parse(text)).toStrictEqual({ [hostile]: hostile });
  });

  it("escapes exactly the unsafe characters", () => {
    const codes = Array.from({ length: 0x1_0000 - 0x20 }, (_, at) => at + 0x20);
    const letters = codes.map((code) => String.fromCharCode(code));
    const unsafe = letters.filter((letter) => /[\x7f-\x9f\u2028\u2029\p{Cf}\p{DI}]/u.test(letter));
    expect(letters.filter((letter) => safeJson(letter) !== letter)).toEqual(unsafe);
  });

  it("writes a long text in short pieces", async () => {
    const value = { text: "a🙂\u202e".repeat(200_000) };
    const { text, longest } = await json(value);
    expect(longest).toBeLessThan(1_000_000);
    expect(JSON.parse(text)).toStrictEqual(value);
  });

  it("writes values nested deeper than the call stack", async () => {
    const depth = 50_000;
    let value: unknown = "end";
    for (let at = 0; at < depth; at += 1) value = [value];
    const { text } = await json(value);
    expect(text.replace(/\s/g, "")).toBe(`${"[".repeat(depth)}"end"${"]".repeat(depth)}`);
  });
});

describe("figures", () => {
  it.each([
    [null, "–"],
    [0, "0"],
    [999, "999"],
    [1000, "1.00k"],
    [12_345, "12.3k"],
    [99_960, "100k"],
    [999_499, "999k"],
    [999_500, "1.00M"],
    [4_560_000_000, "4.56G"],
  ])("rounds %s to %s", (count, text) => expect(shortNumber(count)).toBe(text));

  it("groups thousands, adds units and uses singular and plural", () => {
    expect([exact(1234567), exact(12), exact(null)]).toEqual(["1,234,567", "12", "–"]);
    expect([size(812), size(2100)]).toEqual(["812 B", "2.10 kB"]);
    expect([counted(1, "file"), counted(2000, "file")]).toEqual(["1 file", "2,000 files"]);
  });

  it.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:48Z", "48s"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:12:10Z", "12m"],
    ["2026-01-01T00:00:00Z", "2026-01-01T03:20:00Z", "3h 20m"],
    ["2026-01-01T00:00:00Z", "2026-01-03T04:00:00Z", "2d 4h"],
    ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "–"],
    ["no time", null, "–"],
  ])("formats the duration from %s to %s", (from, to, text) =>
    expect(duration(from, to)).toBe(text),
  );
});

function bare(words: string): string {
  return words.replace(/\s/g, "");
}

describe("width", () => {
  it.each(["plain", "日本語", "é e\u0301", "👨‍👩‍👧", "🇧🇷", "1️⃣", "❤️", "한국어", "│─…✓✗▸", "ｆｕｌｌ"])(
    "measures %s like string-width",
    (text) => expect(widthOf(safeLine(text))).toBe(stringWidth(text)),
  );

  it("fit cuts to the given columns, with an ellipsis", () => {
    expect(fit("日本語テキスト", 6)).toBe("日本…");
    expect(fit("plain text", 10)).toBe("plain text");
    expect(fit("plain texts", 10)).toBe("plain tex…");
    expect(fit("👨‍👩‍👧👨‍👩‍👧", 3)).toBe("👨‍👩‍👧…");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, columns) => {
        expect(widthOf(fit(safeLine(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it("wraps at spaces, keeps the indentation, and splits long words", () => {
    expect(wrap("one two three", 8)).toEqual(["one two", "three"]);
    expect(wrap("  one two three", 8)).toEqual(["  one", "  two", "  three"]);
    expect(wrap("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrap("a\n\nb", 4)).toEqual(["a", "", "b"]);
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const lines = wrap(safeLine(text), columns);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(bare(lines.join(""))).toBe(bare(safeLine(text)));
      }),
    );
  });

  it("pads on the right or the left", () => {
    expect([pad("日", 4), pad("7", 3, "right")]).toEqual(["日  ", "  7"]);
  });
});

describe("hitLine", () => {
  it.each(Array.from({ length: 30 }, (_, at) => at + 12))("ends once at %d columns", (columns) => {
    const [sessionId, source, messageId, snippet] = ["s", "a", "m", "Created a price, a price"];
    const hit = { sessionId, source, messageId, standing: "live", at: null, role: "tool" } as const;
    const view = { columns, style: new Style("plain"), now: new Date(0) };
    const marks = [
      [10, 15],
      [19, 24],
    ] as const;
    const line = hitLine(
      { ...hit, snippet, marks: marks.map(([from, to]) => [from, to]), rank: 1 },
      view,
    );
    const [, text = ""] = /^ {2}tool {4}(.*)$/.exec(line) ?? [];
    expect(snippet.startsWith(text.replace(/…$/, ""))).toBe(true);
  });
});

describe("tableLines", () => {
  const style = new Style("plain");
  const rows = [
    { id: "aa", title: "a short title", note: "n1", count: "7" },
    {
      id: "bbbb",
      title: "a title that is much longer than the other one",
      note: "n2",
      count: "12",
    },
  ];
  const columns = [
    { title: "id", text: (row: (typeof rows)[0]) => row.id },
    { title: "title", text: (row: (typeof rows)[0]) => row.title, least: 10 },
    { title: "note", text: (row: (typeof rows)[0]) => row.note, rank: 1 },
    { title: "count", text: (row: (typeof rows)[0]) => row.count, align: "right" as const },
  ];

  it("uses the available width", () => {
    expect(tableLines(rows, columns, { columns: 100, style })).toEqual([
      "id    title                                           note  count",
      "aa    a short title                                   n1        7",
      "bbbb  a title that is much longer than the other one  n2       12",
    ]);
  });

  it("cuts columns that may be cut, then leaves out optional ones", () => {
    expect(tableLines(rows, columns, { columns: 36, style })).toEqual([
      "id    title              note  count",
      "aa    a short title      n1        7",
      "bbbb  a title that is…   n2       12",
    ]);
    expect(tableLines(rows, columns, { columns: 24, style })).toEqual([
      "id    title        count",
      "aa    a short ti…      7",
      "bbbb  a title th…     12",
    ]);
  });
});

describe("colourMode", () => {
  const asked = { isTerminal: true, isRefused: false, env: {} };
  it.each([
    ["on a terminal", {}, "colour"],
    ["in a pipe", { isTerminal: false }, "plain"],
    ["when refused", { isRefused: true }, "plain"],
    ["with NO_COLOR", { env: { NO_COLOR: "1" } }, "plain"],
    ["with an empty NO_COLOR", { env: { NO_COLOR: "" } }, "colour"],
    ["in a pipe with FORCE_COLOR", { isTerminal: false, env: { FORCE_COLOR: "1" } }, "colour"],
    ["with FORCE_COLOR=0", { env: { FORCE_COLOR: "0" } }, "plain"],
    ["on a dumb terminal", { env: { TERM: "dumb" } }, "plain"],
  ])("%s", (_name, change, mode) => expect(colourMode({ ...asked, ...change })).toBe(mode));
});

describe("ids", () => {
  it("are shortened to unambiguous prefixes", () => {
    const [a, b] = ["08c1f87b-1111", "08c1f87b-2222"];
    expect(shortId(a)).toBe("08c1f87b");
    expect([...shownIds([a, b]).values()]).toEqual(["08c1f87b-1", "08c1f87b-2"]);
  });

  it("need to be compared only with ids that begin like them", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "~"), minLength: 6, maxLength: 12 });
    const file = fc.constantFrom("session-2026-01-05T10-00-ab", "session-2026-01-05T10-00-ac");
    const ids = fc.array(fc.oneof(name, file), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(ids, fc.nat(), (all, number) => {
        const id = all[number % all.length] ?? "";
        const starts = idStarts([{ id }]);
        const similar = all.filter((other) => starts.some((start) => other.startsWith(start)));
        expect(shownIds(similar).get(id)).toBe(shownIds(all).get(id));
      }),
    );
  });

  it("that are file names keep their time", () => {
    const id = "session-2026-01-05T10-00-abcdefab";
    expect(shortId(id)).toBe("session-2026-01-05T10-00");
    expect(shownIds([id]).get(id)).toBe("session-2026-01-05T10-00");
    const other = "session-2026-01-05T10-00-abd";
    expect(shownIds([id, other]).get(id)).toBe("session-2026-01-05T10-00-abc");
  });
});
