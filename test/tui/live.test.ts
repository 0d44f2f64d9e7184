// @module-tag slow
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lines, makeRoot } from "../cli/run.ts";
import { LEFT, MISSING, Tmux } from "./tmux.ts";

/** A colour, another window title, a cursor that moves, a screen that is wiped. */
const HOSTILE = "\x1b[31mred\x1b]0;title\x07\x1b[2J\x1b[5;5Hmoved\x9b31m\u202e";

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

  test("where there is nothing, it is said where sessions would be", async () => {
    const empty = makeRoot({});
    const tmux = new Tmux(`--root "${empty}"`);
    const screen = await tmux.shows("pollux --demo");
    expect(screen).toContain("No sessions found.");
    expect(screen).toContain("no sessions in it");
    expect(tmux.state).toBe(LEFT);
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
