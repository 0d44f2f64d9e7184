// @module-tag slow
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { copyHome } from "../../src/conformance/kit.ts";
import { exports } from "../../src/exports/index.ts";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { SessionEvent } from "../../src/queries/events/event.ts";
import { eventProblems } from "../queries/event-problems.ts";
import type { Json } from "./atif-rules.ts";
import { atifProblems } from "./atif-rules.ts";
import { readCases } from "../samples/gemini-fixtures.ts";
import { parsed, written, writtenText } from "./written.ts";

const folder = mkdtempSync(join(tmpdir(), "pollux-fixtures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = readCases().map((fixture) => {
  const home = join(folder, fixture.id);
  copyHome(fixture, home);
  return [fixture.id, home] as const;
});

async function idsOf(library: Library): Promise<string[]> {
  const { sessions, savedChats } = await library.sessions();
  return [...sessions, ...savedChats].map(({ id }) => id);
}

const libraryOf = (home: string): Library => {
  return open({ environment: { env: {}, homeDir: home, tempDir: join(home, "no-temp") } });
};

async function eventsOf(library: Library, id: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of library.events(id, { with: ["text", "thoughts", "usage"] })) {
    events.push(event);
  }
  return events;
}

/** One line per event, enough to see the content and the order. */
function lineOf(event: SessionEvent): string {
  const tool = "tool" in event ? ` ${event.tool.canonical} (${event.tool.category})` : "";
  const outcome = "outcome" in event ? ` ${event.outcome}` : "";
  const standing = "standing" in event && event.standing !== "live" ? ` [${event.standing}]` : "";
  const status = "status" in event ? ` ${event.status}` : "";
  const words = event.type === "user_prompt" ? ` ${JSON.stringify(event.text.slice(0, 60))}` : "";
  const derived = event.isTimestampDerived ? " ~" : "";
  return `  ${event.type}${tool}${outcome}${status}${words}${standing}${derived}`;
}

describe("every fixture", () => {
  test.each(all)("%s gives valid, unique events in order", async (_, home) => {
    const library = libraryOf(home);
    for (const id of await idsOf(library)) {
      const events = await eventsOf(library, id);
      expect(events.length).toBeGreaterThanOrEqual(2);
      for (const event of events) expect(eventProblems(parsed(JSON.stringify(event)))).toEqual([]);
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
      const times = events.map(({ timestamp }) => Date.parse(timestamp ?? ""));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  test.each(all)("%s gives the events of the snapshot", async (_, home) => {
    const library = libraryOf(home);
    const reported: string[] = [];
    for (const [index, id] of (await idsOf(library)).entries()) {
      reported.push(`session ${index + 1}`, ...(await eventsOf(library, id)).map(lineOf));
    }
    expect(reported.join("\n")).toMatchSnapshot();
  });

  test.each(all)("%s can be written by every export", async (_, home) => {
    const library = libraryOf(home);
    for (const id of await idsOf(library)) {
      for (const { name } of exports) {
        const [file] = await written(library, { ids: [id] }, { to: name });
        expect(file?.sessionIds).toEqual([id]);
      }
      const atif = parsed<Json>(await writtenText(library, id, { to: "atif" }));
      expect(atifProblems(atif)).toEqual([]);
    }
  });

  test.each([
    "append-jsonl/0.61.0-tui-compress",
    "append-jsonl/0.39.1-tui-rewind",
    "homes/0.61.0-subagent-two",
  ])("%s matches its Markdown snapshot", async (name) => {
    const library = libraryOf(new Map<string, string>(all).get(name) ?? "");
    const [id = ""] = await idsOf(library);
    const text = await writtenText(library, id, { to: "markdown", masking: "masked" });
    await expect(text.replaceAll(folder, "<folder>")).toMatchFileSnapshot(
      `__snapshots__/${name.replace("/", ".")}.md`,
    );
  });
});
