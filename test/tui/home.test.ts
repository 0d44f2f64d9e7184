// @module-tag slow
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoHome, demoNow } from "../../src/cli/package-folder.ts";
import { open } from "../../src/library/library.ts";
import { addDays, Calendar } from "../../src/queries/calendar.ts";
import { lines, makeRoot } from "../cli/run.ts";
import { MISSING, Tmux } from "./tmux.ts";

const demo = open({ roots: [demoHome()], environment: { env: {} } });

function startOfDay(daysAgo: number): number {
  return new Calendar("UTC").startOf(addDays(demoNow().toISOString().slice(0, 10), -daysAgo));
}

/** No other screen, a cursor, long lines wrapped: as a shell has it. */
const LEFT = "0 1 1";
/** A colour, another window title, a cursor that moves, a screen that is wiped. */
const HOSTILE = "\x1b[31mred\x1b]0;title\x07\x1b[2J\x1b[5;5Hmoved\x9b31m\u202e";

describe.skipIf(MISSING !== undefined)(`the home [${MISSING ?? "in tmux"}]`, () => {
  test("shows how much, on what, and what was worked on", async () => {
    const tmux = new Tmux("--demo");
    const screen = await tmux.shows(/bakery-api +\$\d[^]*Warn the riders[^]*\$0\.\d/);
    expect(screen).toContain("[30 days]");
    const { totals } = await demo.usage({ sinceMs: startOfDay(29), by: ["day"] });
    const cost = `$${((totals.costMicroUsd ?? 0) / 1e6).toFixed(2)}`;
    expect(screen).toContain(cost);
    expect(screen).toContain(`${totals.requests} replies · ${totals.sessions} sessions`);
    for (const panel of [
      "by day",
      "by agent",
      "by model",
      "projects",
      "by tool",
      "[recent sessions]",
    ])
      expect(screen).toContain(panel);
    await tmux.shows(/\d+ sessions, none kept; \d+ will be deleted soon/);
  });

  test("has its periods on keys and arrows", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    tmux.press("6");
    const { totals } = await demo.usage({ by: ["day"] });
    expect(await tmux.shows("[all]")).toContain("by month");
    await tmux.shows(`${totals.requests} replies · ${totals.sessions} sessions`);
    tmux.press("Left");
    await tmux.shows("[year]");
    tmux.press("2");
    await tmux.shows("[7 days]");
  });

  test("goes down from a project to its sessions, a transcript, a message, and back", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    tmux.press("Tab");
    await tmux.shows("[projects]");
    tmux.press("Enter");
    expect(await tmux.shows(/1 of \d+/)).not.toContain("Restore drill");
    tmux.press("End");
    await tmux.shows(/(\d+) of \1/);
    tmux.press("Enter");
    await tmux.shows(/session +[0-9a-f]{8}-/);
    tmux.press("Tab");
    tmux.press("Enter");
    await tmux.shows(/\.jsonl?:\d+/);
    tmux.press("Escape");
    await tmux.shows(/session +[0-9a-f]{8}-/);
    tmux.press("Escape");
    await tmux.shows(/(\d+) of \1/);
    tmux.press("Escape");
    await tmux.shows("[projects]");
  });

  test("searches while words are typed, and opens what was found", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    // Not the whole word: it is found while it is typed.
    tmux.type("/postgre");
    expect(await tmux.shows(/\d+ places in \d+ sessions/)).toContain("Move orders to Postgres");
    tmux.press("Down");
    await tmux.shows("/ other words");
    tmux.press("Enter");
    await tmux.shows(/\d message/);
  });

  test("narrows down to an agent and a project", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    tmux.type("pinfra");
    await tmux.shows("Project: infra");
    tmux.press("Enter");
    expect(await tmux.shows(/all agents +infra/)).toContain("[recent sessions]");
    await tmux.shows(/^(?![^]*Warn the riders)[^]*Restore drill/);
    tmux.type("x");
    await tmux.shows("Warn the riders");
    tmux.type("a");
    await tmux.shows("Agent:");
  });

  test("copies an id, exports into this folder, and says what it did", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("Warn the riders");
    tmux.type("y");
    await tmux.shows("Copied 43a6316a-");
    tmux.type("emark");
    await tmux.shows("Export as: mark");
    tmux.press("Enter");
    expect(await tmux.shows("Wrote")).toContain(".md");
    expect(readdirSync(tmux.home).some((name) => name.endsWith(".md"))).toBe(true);
  });

  test.each([60, 80, 120, 200, 250])("fits into %i columns", async (columns) => {
    const tmux = new Tmux("--demo", { columns, rows: 30 });
    const screen = await tmux.shows("recent sessions");
    await tmux.shows(/none kept/);
    expect(screen).toContain("? keys");
    for (const line of tmux.screen().split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("is drawn anew when the window changes, down to the list alone", async () => {
    const tmux = new Tmux("--demo", { columns: 120 });
    await tmux.shows("by model");
    tmux.resize(62, 20);
    await tmux.shows(/^(?![^]*by model)[^]*^ by day$/m);
    tmux.resize(50, 12);
    // What tmux cut to the new size is on the screen before the home has drawn anew.
    const list = await tmux.shows(/^(?![^]*projects)[^]*recent sessions/);
    expect(list).toContain("Restore drill");
    tmux.resize(160, 40);
    await tmux.shows("by tool");
  });

  test("stays, and says why, when a session cannot be resumed", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("[recent sessions]");
    tmux.type("r");
    expect(await tmux.shows("It cannot be resumed")).toContain("recent sessions");
  });

  test("writes the last column, too", async () => {
    const tmux = new Tmux("--demo", { columns: 90 });
    const screen = await tmux.shows("[recent sessions]");
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBe(90);
  });

  test("tells its keys", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    tmux.type("?");
    expect(await tmux.shows("search everything")).toContain("resume the session");
  });

  test("has no colour where none is wanted", async () => {
    const tmux = new Tmux("--demo", { env: { NO_COLOR: "1" } });
    await tmux.shows("[recent sessions]");
    expect(tmux.screen("colours")).not.toContain("\x1b[");
    expect(tmux.screen()).toContain("› ");
  });

  test("uses the sixteen colours that every terminal has", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("[recent sessions]");
    const painted = tmux.screen("colours");
    expect(painted).toContain("\x1b[");
    expect(painted).not.toMatch(/\x1b\[[\d;]*[34]8;/);
  });

  test("prints the plain overview on a terminal that cannot be drawn on", async () => {
    const tmux = new Tmux("--demo", { env: { TERM: "dumb" } });
    await tmux.shows("API list prices");
    expect(tmux.state).toBe(LEFT);
  });
});

describe.skipIf(MISSING !== undefined)(`the terminal afterwards [${MISSING ?? "in tmux"}]`, () => {
  test.each([
    ["q", "q"],
    ["Control-C", "C-c"],
  ])("is the shell's again after %s", async (_, key) => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    expect(tmux.state).not.toBe(LEFT);
    tmux.press(key);
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
    tmux.type("echo ${PS1}whole");
    expect(await tmux.shows("echo ${PS1}whole")).toBeTruthy();
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("also after %s", async (signal) => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    process.kill(tmux.pid, signal);
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
  });

  test("is given back while the home pauses, and taken again", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    tmux.press("C-z");
    await tmux.shows(/Stopped/);
    expect(tmux.state).toBe(LEFT);
    tmux.type("fg");
    tmux.press("Enter");
    await tmux.shows("? keys");
    tmux.press("q");
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
  });
});

const NOW = Date.now();
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString();

function home(text: string): { root: string; file: string } {
  const head = {
    sessionId: "aaaaaaaa-1",
    projectHash: "f".repeat(64),
    startTime: at(60),
    lastUpdated: at(60),
  };
  const said = { id: "m1", timestamp: at(60), type: "user", content: [{ text }] };
  const file = "tmp/app/chats/session-2026-11-15T10-00-aaaaaaaa.jsonl";
  const root = makeRoot({ [file]: lines(head, said) });
  return { root, file: join(root, file) };
}

describe.skipIf(MISSING !== undefined)(`live and hostile [${MISSING ?? "in tmux"}]`, () => {
  test("what an agent writes meanwhile appears by itself", async () => {
    const { root, file } = home("a first question");
    const tmux = new Tmux(`--root "${root}"`);
    await tmux.shows("a first question");
    tmux.press("Enter");
    await tmux.shows("1 message");
    const answer = {
      id: "m2",
      timestamp: at(0),
      type: "gemini",
      content: "an answer of now",
      model: "gemini-2.5-pro",
    };
    appendFileSync(file, lines(answer));
    expect(await tmux.shows("an answer of now")).toContain("2 messages");
  });

  test("what a session says moves nothing and paints nothing", async () => {
    const { root } = home(`${HOSTILE} and then`);
    const tmux = new Tmux(`--root "${root}"`, { env: { NO_COLOR: "1" } });
    await tmux.shows("and then");
    tmux.press("Enter");
    await tmux.shows(/\d message/);
    expect(tmux.screen("colours")).not.toContain("\x1b[");
    expect(tmux.screen()).toContain("Pollux");
  });

  test("the first run answers, keeps, and says what is kept", async () => {
    const { root } = home("a first question");
    const tmux = new Tmux("", { env: { GEMINI_CLI_HOME: join(root, "..") } });
    await tmux.shows("1 session kept");
    expect(readdirSync(join(tmux.home, ".local/share/pollux"))).toContain("archive.db");
    tmux.press("q");
    await tmux.shows(/\$\s*$/);
    // What is kept is shown at once, and the second run ends as well as the first.
    tmux.press("Up", "Enter");
    await tmux.shows("1 session kept");
    tmux.press("q");
    await tmux.shows(/\$\s*$/);
  });
});
