// @module-tag slow
import { expect, onTestFinished, test } from "vitest";
import { demoHome, demoNow } from "../../src/cli/package-folder.ts";
import { MoneyFormat } from "../../src/cli/print/money.ts";
import { Style } from "../../src/cli/print/style.ts";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import type { Review } from "../../src/library/review.ts";
import { runHome } from "../../src/tui/home.ts";
import { FakeTerminal } from "./fake-terminal.ts";

const demo = open({ roots: [demoHome()], environment: { env: {} } });

/** Runs the home screen on a fake terminal with this library. */
function homeOf(library: Library, now: () => Date = demoNow): FakeTerminal {
  const terminal = new FakeTerminal(100, 32);
  const opened = (): Promise<Library> => Promise.resolve(library);
  const clock = (): number => Date.now();
  const ended = runHome({
    input: terminal.input,
    output: terminal.output,
    style: new Style("plain"),
    money: new MoneyFormat("USD", "1"),
    timezone: "UTC",
    now,
    library: { open: opened, openDisk: opened, clock },
    scope: { period: "30 days" },
    writeFile: () => Promise.resolve(0),
  });
  onTestFinished(async () => {
    terminal.press("\x03");
    await ended;
  });
  return terminal;
}

/** The same object with some methods replaced. */
function replaced<T extends object>(object: T, others: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(others, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

test("a slow store is not shown as empty, and keys are handled meanwhile", async () => {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => (answer = resolve));
  const late = <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) => {
    return async (...args: Args): Promise<T> => gate.then(() => ask(...args));
  };
  const { review, archive } = demo;
  const slow = replaced(demo, {
    usage: late((query) => demo.usage(query)),
    tools: late((filter) => demo.tools(filter)),
    review: replaced(review, {
      stretch: late((filter, request) => review.stretch(filter, request)),
      insights: late((filter) => review.insights(filter)),
    }),
    archive: replaced(archive, { deletion: late((nowMs) => archive.deletion(nowMs)) }),
  });
  const terminal = homeOf(slow);
  const waiting = await terminal.shows("[recent sessions]");
  expect(waiting.match(/reading …/g)?.length).toBeGreaterThanOrEqual(7);
  expect(waiting).not.toMatch(/nothing|none|\$|\b0 /);
  terminal.press("\t");
  await terminal.shows("[projects]");
  terminal.press("2");
  expect(await terminal.shows("[7 days]")).not.toMatch(/nothing|none|\b0 /);
  terminal.press("?");
  await terminal.shows("search everything");
  terminal.press("\x1b");
  await terminal.shows("[projects]");
  answer();
  await terminal.shows(/\$\d+\.\d\d[^]*bakery-api/);
  // After a change of period, the data of the previous period is not shown for it.
  terminal.press("6");
  await terminal.shows(/\[all\][^]*replies in[^]*by month/);
});

test("of 50,000 sessions, only the visible ones are read at any scroll position", async () => {
  const MANY = 50_000;
  const [sample] = (await demo.sessions({ limit: 1 })).sessions;
  if (!sample) throw new Error("The demo is empty.");
  const asked: { offset: number; limit: number }[] = [];
  const stretch: Review["stretch"] = (_filter, { offset = 0, limit = MANY }) => {
    asked.push({ offset, limit });
    const length = Math.max(0, Math.min(limit, MANY - offset));
    const sessions = Array.from({ length }, (_, at) => {
      return { ...sample, id: `id-${offset + at}`, title: `Session ${offset + at}` };
    });
    return Promise.resolve({ sessions, total: MANY });
  };
  const terminal = homeOf(replaced(demo, { review: replaced(demo.review, { stretch }) }));
  await terminal.shows(/bakery-api[^]*50,000 active[^]*Session 0/);
  terminal.press("\t");
  await terminal.shows("[projects]");
  terminal.press("\r");
  await terminal.shows("1 of 50,000");
  terminal.press("G");
  await terminal.shows(/50,000 of 50,000[^]*› .*Session 49999/);
  terminal.press("k");
  await terminal.shows(/49,999 of 50,000[^]*› .*Session 49998/);
  terminal.press("g");
  await terminal.shows(/ 1 of 50,000[^]*› .*Session 0 /);
  expect(Math.max(...asked.map(({ limit }) => limit))).toBeLessThanOrEqual(100);
  expect(asked.length).toBeLessThan(12);
});

test("older work is shown if the first period is empty, with an explanation", async () => {
  const later = (): Date => new Date(demoNow().getTime() + 200 * 86_400_000);
  const terminal = homeOf(demo, later);
  await terminal.shows("Nothing in the last 30 days: all time is shown.");
  const { totals } = await demo.usage({ by: ["agent"] });
  await terminal.shows(`${totals.requests} replies in ${totals.sessions} sessions`);
  // A period that the user chooses is shown even if it is empty.
  terminal.press("2");
  const week = await terminal.shows(/\[7 days\][^]*nothing spent · 6 shows all time/);
  expect(week).not.toContain("0 replies");
  await terminal.shows(/no calls since \w+ \d+[^]*no sessions since/);
});
