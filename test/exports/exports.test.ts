import { describe, expect, test } from "vitest";
import { exports } from "../../src/exports/index.ts";
import { homeWith } from "../samples/home.ts";
import { AGENT_ID, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { written, writtenText } from "./written.ts";

const TEXTS = exports.filter(({ isBinary }) => isBinary !== true);

describe("every export", () => {
  test.each(TEXTS.map((form) => [form.name, form] as const))(
    "%s matches its snapshot",
    async (name, form) => {
      const { library, folder } = homeWith(TOUR_HOME);
      for (const table of form.tables ?? [undefined]) {
        const request = { to: name, ...(table === undefined ? {} : { table }) };
        const text = (await writtenText(library, TOUR_ID, request)).replaceAll(folder, "<folder>");
        const about = table === undefined ? "tour" : `tour.${table}`;
        await expect(text).toMatchFileSnapshot(`__snapshots__/${about}.${form.extension}`);
      }
    },
  );

  test.each(exports.map(({ name }) => name))("%s gives the same bytes on every run", async (to) => {
    const { library } = homeWith(TOUR_HOME);
    const [first, second] = [
      await written(library, { ids: [TOUR_ID] }, { to }),
      await written(library, { ids: [TOUR_ID] }, { to }),
    ];
    expect(first[0]?.bytes.length).toBeGreaterThan(100);
    expect(first.map(({ bytes }) => bytes.toString("hex"))).toEqual(
      second.map(({ bytes }) => bytes.toString("hex")),
    );
  });

  test.each(exports.map(({ name }) => name))("%s accepts an empty session", async (to) => {
    const file = "chats/session-2026-02-10T17-28-eeeeeeee.jsonl";
    const empty = `${JSON.stringify({ sessionId: "eeeeeeee", projectHash: "h" })}\n`;
    const { library } = homeWith({ [file]: empty });
    const [only] = await written(library, { ids: ["eeeeeeee"] }, { to });
    expect(only?.sessionIds).toEqual(["eeeeeeee"]);
  });
});

describe("the layout of files", () => {
  test("a single-session format rejects several in one file, and names a file for each", async () => {
    const { library } = homeWith(TOUR_HOME);
    const which = { ids: [TOUR_ID, AGENT_ID] };
    await expect(written(library, which, { to: "html" })).rejects.toThrow(/holds one session/);
    const files = await written(library, which, { to: "html", layout: "each" });
    expect(files.map(({ name, sessionIds }) => [name, sessionIds])).toEqual([
      ["2026-02-10-ledger-gemini-cli-08c1f87b.html", [TOUR_ID]],
      ["2026-02-10-ledger-gemini-cli-5d1c1a52.html", [AGENT_ID]],
    ]);
  });

  test("a multi-session format writes one file, and one file per table into a folder", async () => {
    const { library } = homeWith(TOUR_HOME);
    const all = await written(library, {}, { to: "jsonl" });
    expect(all.map(({ name, sessionIds }) => [name, sessionIds.length])).toEqual([
      ["sessions.jsonl", 2],
    ]);
    const tables = await written(library, {}, { to: "csv", layout: "each" });
    expect(tables.map(({ name }) => name)).toEqual(["messages.csv", "calls.csv"]);
  });

  test("rejects unknown formats and tables, and an empty selection", async () => {
    const { library } = homeWith(TOUR_HOME);
    const of = (to: string, more: object = {}): Promise<unknown> => {
      return written(library, { ids: [TOUR_ID] }, { to, ...more });
    };
    await expect(of("pdf")).rejects.toMatchObject({ code: "no-such-export" });
    await expect(of("csv", { table: "people" })).rejects.toMatchObject({ code: "no-such-table" });
    await expect(of("json", { table: "calls" })).rejects.toMatchObject({ code: "no-such-table" });
    const none = written(library, { filter: { project: "nowhere" } }, { to: "jsonl" });
    await expect(none).rejects.toMatchObject({ code: "nothing-to-export" });
  });

  test("file names stay in their folder for any project name and session id", async () => {
    const { library } = homeWith({
      "chats/session-2026-02-10T17-28-aaaaaaaa.jsonl":
        `${JSON.stringify({ sessionId: "../../etc/passwd", projectHash: "h" })}\n` +
        `${JSON.stringify({ id: "u", type: "user", content: "x" })}\n`,
      ".project_root": "/home/ada/..\u202e CON/\u0000",
    });
    const files = await written(library, {}, { to: "json", layout: "each" });
    for (const { name } of files) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*\.json$/);
    expect(files.some(({ name }) => name.includes(".."))).toBe(false);
  });
});
