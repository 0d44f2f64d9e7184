import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/library/library.ts";
import { rootWith } from "./made.ts";
import { roundTrip, UNHARMED } from "./round-trip.ts";

describe("every fixture", () => {
  const folder = join("test", "fixtures", "gemini-cli");
  const cases = ["append-jsonl", "single-json"].flatMap((format) =>
    readdirSync(join(folder, format)).map((name) => ({ format, name })),
  );

  it.each(cases)("$format/$name comes back from its record", async ({ format, name }) => {
    const inside = join(folder, format, name);
    const file = readdirSync(inside).find((one) => one.startsWith("session.")) ?? "";
    const extension = file.endsWith("l") ? "jsonl" : "json";
    const root = rootWith(
      `session-2026-01-01T00-00-0.${extension}`,
      readFileSync(join(inside, file)),
    );
    const { sessions } = await open({ roots: [root] }).sessions();
    for (const { id } of sessions) expect(await roundTrip(root, id)).toEqual(UNHARMED);
  });

  it.each(readdirSync(join(folder, "homes")))("home %s: every session comes back", async (home) => {
    const root = join(folder, "homes", home);
    const { sessions } = await open({ roots: [root] }).sessions();
    for (const { id } of sessions) expect(await roundTrip(root, id)).toEqual(UNHARMED);
  });
});
