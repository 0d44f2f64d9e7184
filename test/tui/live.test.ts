// @module-tag slow
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lines, makeRoot } from "../cli/run.ts";
import { LEFT, MISSING, Tmux } from "./tmux.ts";

/** Sets a colour and the window title, clears the screen and moves the cursor. */
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

describe.skipIf(MISSING !== undefined)(
  `live updates and hostile text [${MISSING ?? "in tmux"}]`,
  () => {
    test("new messages of an agent appear by themselves", async () => {
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

    test("escape sequences in session text have no effect", async () => {
      const { root } = home(`${HOSTILE} and then`);
      const tmux = new Tmux(`--root "${root}"`, { env: { NO_COLOR: "1" } });
      await tmux.shows("and then");
      tmux.press("Enter");
      await tmux.shows(/\d message/);
      expect(tmux.screen("colours")).not.toContain("\x1b[");
      expect(tmux.screen()).toContain("Pollux");
    });

    test("an empty home is reported with a hint to the demo", async () => {
      const empty = makeRoot({});
      const tmux = new Tmux(`--root "${empty}"`);
      const screen = await tmux.shows("pollux --demo");
      expect(screen).toContain("No sessions found.");
      expect(screen).toContain("no sessions in it");
      expect(tmux.state).toBe(LEFT);
    });

    test("the first run answers, keeps the sessions, and shows how many are kept", async () => {
      const { root } = home("a first question");
      const tmux = new Tmux("", { env: { GEMINI_CLI_HOME: join(root, "..") } });
      await tmux.shows("1 session archived");
      expect(readdirSync(join(tmux.home, ".local/share/pollux"))).toContain("archive.db");
      tmux.press("q");
      await tmux.shows(/\$\s*$/);
      // The second run shows the kept sessions at once and exits cleanly, too.
      tmux.press("Up", "Enter");
      await tmux.shows("1 session archived");
      tmux.press("q");
      await tmux.shows(/\$\s*$/);
    });
  },
);
