// @module-tag slow
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { demoHome, demoNow } from "../../src/cli/package-folder.ts";
import { open } from "../../src/library/library.ts";
import { addDays, Calendar } from "../../src/queries/calendar.ts";
import { LEFT, MISSING, Tmux } from "./tmux.ts";

const demo = open({ roots: [demoHome()], environment: { env: {} } });

function startOfDay(daysAgo: number): number {
  return new Calendar("UTC").startOf(addDays(demoNow().toISOString().slice(0, 10), -daysAgo));
}

describe.skipIf(MISSING !== undefined)(`the home screen [${MISSING ?? "in tmux"}]`, () => {
  test("shows usage, projects, panels and recent sessions", async () => {
    const tmux = new Tmux("--demo");
    const screen = await tmux.shows(/bakery-api +\$\d[^]*Warn the riders[^]*\$0\.\d/);
    expect(screen).toContain("[30 days]");
    const { totals } = await demo.usage({ sinceMs: startOfDay(29), by: ["day"] });
    const cost = `$${((totals.costMicroUsd ?? 0) / 1e6).toFixed(2)}`;
    expect(screen).toContain(cost);
    expect(screen).toContain(`${totals.requests} replies in ${totals.sessions} sessions`);
    for (const panel of [
      "by day",
      "by agent",
      "by model",
      "projects",
      "by tool",
      "insights",
      "[recent sessions]",
    ])
      expect(screen).toContain(panel);
    await tmux.shows(/\d+ sessions, none archived; \d+ sessions will be deleted by Gemini CLI/);
  });

  test("changes the period by keys and arrows", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    tmux.press("6");
    const { totals } = await demo.usage({ by: ["day"] });
    expect(await tmux.shows("[all]")).toContain("by month");
    await tmux.shows(`${totals.requests} replies in ${totals.sessions} sessions`);
    tmux.press("Left");
    await tmux.shows("[year]");
    tmux.press("2");
    await tmux.shows("[7 days]");
  });

  test("opens a project, its sessions, a transcript and a message, and goes back", async () => {
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

  test("searches while typing, and opens a hit", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    // Part of the word is enough: it is found while it is typed.
    tmux.type("/postgre");
    expect(await tmux.shows(/\d+ matches in \d+ sessions/)).toContain("Move orders to Postgres");
    tmux.press("Down");
    await tmux.shows("/ other words");
    tmux.press("Enter");
    await tmux.shows(/\d message/);
  });

  test("filters by agent and by project", async () => {
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

  test("copies an id, exports into the current folder, and confirms it", async () => {
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

  test("stays open and gives the reason if a session cannot be resumed", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("Warn the riders");
    tmux.type("r");
    expect(await tmux.shows("Cannot resume")).toContain("recent sessions");
  });

  test("explains that session keys need a selected session", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("bakery-api");
    tmux.press("Tab");
    await tmux.shows("[projects]");
    for (const [key, what] of [
      ["y", "copies the id of"],
      ["e", "exports"],
      ["h", "hands over"],
    ] as const) {
      tmux.type(key);
      expect(await tmux.shows(`${key} ${what} a session: choose one first`)).toContain(
        "[projects]",
      );
    }
  });

  test("opens the insights", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("Rewound work");
    for (let turn = 0; turn < 5; turn += 1) tmux.press("Tab");
    await tmux.shows("[insights]");
    tmux.press("Enter");
    expect(await tmux.shows("Insights")).toMatch(/of all spending/);
  });

  test("uses the last column of the terminal", async () => {
    const tmux = new Tmux("--demo", { columns: 90 });
    const screen = await tmux.shows("[recent sessions]");
    expect(Math.max(...screen.split("\n").map((line) => line.length))).toBe(90);
  });

  test("shows its keys on request", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    tmux.type("?");
    expect(await tmux.shows("search everything")).toContain("resume the session");
  });

  test("has no colours with NO_COLOR", async () => {
    const tmux = new Tmux("--demo", { env: { NO_COLOR: "1" } });
    await tmux.shows("[recent sessions]");
    expect(tmux.screen("colours")).not.toContain("\x1b[");
    expect(tmux.screen()).toContain("› ");
  });

  test("uses only the sixteen standard colours", async () => {
    const tmux = new Tmux("--demo");
    await tmux.shows("[recent sessions]");
    const painted = tmux.screen("colours");
    expect(painted).toContain("\x1b[");
    expect(painted).not.toMatch(/\x1b\[[\d;]*[34]8;/);
  });

  test("prints the plain overview on a dumb terminal", async () => {
    const tmux = new Tmux("--demo", { env: { TERM: "dumb" } });
    await tmux.shows("API list prices");
    expect(tmux.state).toBe(LEFT);
  });
});

describe.skipIf(MISSING !== undefined)(`the terminal state [${MISSING ?? "in tmux"}]`, () => {
  test.each([
    ["q", "q"],
    ["Control-C", "C-c"],
  ])("is restored after %s", async (_, key) => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    expect(tmux.state).not.toBe(LEFT);
    tmux.press(key);
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
    tmux.type("echo ${PS1}whole");
    expect(await tmux.shows("echo ${PS1}whole")).toBeTruthy();
  });

  test("is restored after a crash", async () => {
    const crash = `process.on("SIGUSR2", () => { throw new Error("a mistake") })`;
    const url = `data:text/javascript,${encodeURIComponent(crash)}`;
    const tmux = new Tmux("--demo", { env: { NODE_OPTIONS: `--import=${url}` } });
    await tmux.shows("? keys");
    process.kill(tmux.pid, "SIGUSR2");
    await tmux.shows("Error: a mistake");
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("is restored after %s", async (signal) => {
    const tmux = new Tmux("--demo");
    await tmux.shows("? keys");
    process.kill(tmux.pid, signal);
    await tmux.shows(/\$\s*$/);
    expect(tmux.state).toBe(LEFT);
  });

  test("is restored while the home screen is suspended, and set again on resume", async () => {
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
