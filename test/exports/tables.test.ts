import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { call, header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { written, writtenText } from "./written.ts";

type Row = Record<string, unknown>;

async function rowsOf(home: Record<string, string>, table: string): Promise<Row[]> {
  const { library } = homeWith(home);
  const [file] = await written(library, {}, { to: "parquet", table });
  const bytes = file?.bytes ?? Buffer.alloc(0);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return parquetReadObjects({ file: buffer as ArrayBuffer });
}

describe("parquet", () => {
  test("has one typed row per reply, and adds up to the library's total", async () => {
    const rows = await rowsOf(TOUR_HOME, "usage");
    const { sessions } = await homeWith(TOUR_HOME).library.sessions();
    const paid = sessions.reduce((sum, { tokens }) => sum + (tokens.total ?? 0), 0);
    expect(rows).toHaveLength(8);
    expect(rows.reduce((sum, row) => sum + Number(row["total_tokens"]), 0)).toBe(paid);
    expect(rows[0]).toMatchObject({
      session_id: TOUR_ID,
      model: "gemini-3-pro-preview",
      fresh_tokens: 403n,
      cached_tokens: 600n,
      at: new Date("2026-02-10T17:28:03.000Z"),
      reason: null,
    });
  });

  test("has one row per message, with any characters", async () => {
    const id = "ffffffff-0000-4000-8000-000000000000";
    const said = "naïve 日本 👩‍👩‍👧 \ud83d lone, \u0000 nul";
    const home = {
      "chats/session-2026-02-10T17-28-ffffffff.jsonl": jsonl(header(id), user("u", 1, said)),
    };
    const [row] = await rowsOf(home, "messages");
    expect(row).toMatchObject({ author: "user", is_prompt: true, number: 1n, input_tokens: null });
    expect(row?.["text"]).toBe(said.replace("\ud83d lone", "\ufffd lone"));
  });

  test("is a table without rows for an empty session", async () => {
    const home = {
      "chats/session-2026-02-10T17-28-ffffffff.jsonl": jsonl(header("ffffffff")),
    };
    expect(await rowsOf(home, "usage")).toEqual([]);
  });

  test("is written in row groups and read as one table", async () => {
    const big = "x".repeat(1 << 20);
    const id = "ffffffff-0000-4000-8000-000000000000";
    const lines = Array.from({ length: 40 }, (_, n) => user(`u${n}`, n, `${n} ${big}`));
    const home = {
      "chats/session-2026-02-10T17-28-ffffffff.jsonl": jsonl(header(id), ...lines),
    };
    const rows = await rowsOf(home, "messages");
    expect(rows.map((row) => String(row["text"]).slice(0, 3))).toEqual(
      lines.map((_, n) => `${n} x`.slice(0, 3)),
    );
  });
});

/** Parses CSV as in RFC 4180. */
function readCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("csv", () => {
  test("has the same number of cells in every row", async () => {
    const { library } = homeWith(TOUR_HOME);
    for (const [table, count] of [
      ["messages", 10],
      ["calls", 6],
    ] as const) {
      const rows = readCsv(await writtenText(library, TOUR_ID, { to: "csv", table }));
      expect(rows).toHaveLength(count + 1);
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }
  });

  test("never starts a cell with a formula character", async () => {
    const texts = [
      "=1+1",
      "+1",
      "-1",
      "@sum",
      "\t=1",
      " =1",
      "\r\n=1",
      "\u200b=1",
      "\ufeff\u2060=1",
      "＝1",
      "|x",
      '="x"',
    ];
    const id = "ffffffff-0000-4000-8000-000000000000";
    const lines = texts.map((text, n) => user(`u${n}`, n, text));
    const calls = call("=c", "=tool", { args: { a: "=1" }, output: "=HYPERLINK(1)", seconds: 50 });
    const text = jsonl(header(id), ...lines, model("g", 40, { text: "=A1", toolCalls: [calls] }));
    const { library } = homeWith({ "chats/session-2026-02-10T17-28-ffffffff.jsonl": text });
    for (const table of ["messages", "calls"]) {
      const csv = await writtenText(library, id, { to: "csv", table });
      for (const cell of readCsv(csv).flat()) {
        expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠|%]/);
      }
      expect(csv).toContain("'=");
      expect(csv).not.toMatch(/[\u200b\u2060\ufeff]/);
    }
  });
});
