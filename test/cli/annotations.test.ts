// @module-tag slow
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { homeWith } from "../samples/home.ts";
import { TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import type { Run } from "./run.ts";
import { run } from "./run.ts";

/** Runs commands on a home with a new archive. */
async function kept(): Promise<(...args: string[]) => Promise<Run>> {
  const { folder } = homeWith(TOUR_HOME);
  const place = ["--root", join(folder, ".gemini"), "--archive", join(folder, "archive.db")];
  const ask = (...args: string[]): Promise<Run> => run([...args, ...place]);
  await ask("keep");
  return ask;
}

const SHORT = TOUR_ID.slice(0, 8);

describe("annotations", () => {
  test("tags can be set, listed, filtered by and removed", async () => {
    const ask = await kept();
    expect((await ask("tag", SHORT, "later", "billing")).out).toContain("#billing #later");
    expect((await ask("tag")).out).toBe("#billing  1 session\n#later  1 session\n");
    expect((await ask("sessions", "--tag", "later")).out).toContain("#billing #later");
    expect((await ask("sessions", "--tag", "never")).out).toContain("Nothing matches.");
    expect((await ask("tag", SHORT, "--remove", "later")).out).not.toContain("#later");
    const wrong = await ask("tag", SHORT, "two words");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("A tag must be one word")]);
  });

  test("notes, stars and titles are shown, searchable and kept by rebuild", async () => {
    const ask = await kept();
    await ask("star", SHORT);
    await ask("title", SHORT, "The", "empty\u001b[31m", "list");
    await ask("note", SHORT, "look at the zebra retry");
    const json = await ask("note", SHORT, "--message", "u1", "here it began", "--json");
    expect(JSON.parse(json.out)).toMatchObject({ things: [{ messageId: "u1" }] });
    await ask("rebuild");
    expect((await ask("sessions", "--starred")).out).toContain("★ The empty");
    const shown = (await ask("show", SHORT)).out;
    expect(shown).toContain("look at the zebra retry");
    expect(shown).toContain("here it began");
    expect(shown).not.toContain("\u001b");
    const found = JSON.parse((await ask("search", "zebra", "--json")).out) as unknown;
    expect(found).toMatchObject({ total: 1, hits: [{ role: "own", sessionId: TOUR_ID }] });
    const only = JSON.parse((await ask("search", "began", "--in", "notes", "--json")).out);
    expect(only).toMatchObject({ total: 1, hits: [{ role: "own", messageId: "u1" }] });
    await ask("title", SHORT, "--remove");
    expect((await ask("title")).out).toBe("No titles yet. Add one: `pollux title latest TEXT`.\n");
  });

  test("need a kept session and an existing message", async () => {
    const { code, err } = await run(["tag", "latest", "x", "--demo"]);
    expect([code, err]).toEqual([1, expect.stringContaining("needs an archive")]);
    const ask = await kept();
    const nobody = await ask("note", SHORT, "--message", "nobody", "x");
    expect(nobody.err).toContain('No message matches "nobody"');
  });
});

describe("pollux uses", () => {
  test("lists the sessions that used a file, in order, with the prompts", async () => {
    const { out } = await run(["files", "src/hours.ts", "--oldest", "--demo", "--json"]);
    const found = JSON.parse(out) as {
      total: number;
      paths: string[];
      sessions: { uses: { files: { how: string }[]; prompt: { text: string } | null }[] }[];
    };
    expect(found.paths.every((path) => path.endsWith("/src/hours.ts"))).toBe(true);
    const uses = found.sessions.flatMap((session) => session.uses);
    expect(uses.map(({ files }) => files[0]?.how)).toEqual(["read", "written", "edited"]);
    expect(uses.every(({ prompt }) => (prompt?.text.length ?? 0) > 0)).toBe(true);
    expect((await run(["uses", "hours.ts", "--demo"])).out).toContain("›");
  });

  test("lists failed calls", async () => {
    const { out } = await run(["uses", "--tool", "read", "--outcome", "error", "--demo", "--json"]);
    const found = JSON.parse(out) as { total: number; sessions: { uses: { error: unknown }[] }[] };
    expect(found.total).toBeGreaterThan(0);
    for (const { uses } of found.sessions) expect(uses.length).toBeGreaterThan(0);
    expect((await run(["uses", "--demo"])).code).toBe(2);
    expect((await run(["uses", "no-such-file", "--demo"])).out).toContain("No uses found.");
  });
});
