import { describe, expect, test } from "vitest";
import {
  appendedSession,
  BigHome,
  documentSession,
  SESSION,
  smallMessages,
  TOKENS_PER_REPLY,
} from "./big-home.ts";
import { MB, runMeasured, printFigure } from "./measured.ts";

interface Listed {
  sessions: { id: string; title: string; prompts: number; tokens: { total: number } }[];
  coverage: { damaged: number };
}

/** The answer of `pollux sessions` for a home, and the peak memory of the run. */
function listed(home: BigHome, ...more: string[]): { list: Listed; peakBytes: number } {
  const { stdout, peakBytes } = runMeasured(["sessions", "--json", "--root", home.root, ...more]);
  return { list: JSON.parse(stdout) as Listed, peakBytes };
}

function expectWhole(list: Listed): void {
  const [session, ...others] = list.sessions;
  expect(others).toEqual([]);
  expect(session?.id).toBe(SESSION);
  expect(session?.prompts).toBeGreaterThan(1000);
  // Two paid replies follow each prompt.
  expect(session?.tokens.total).toBe((session?.prompts ?? 0) * 2 * TOKENS_PER_REPLY);
  expect(list.coverage.damaged).toBe(0);
}

describe("summarising a long session in bounded memory", () => {
  test("300 MB of appended lines need less than 250 MB", () => {
    const home = new BigHome();
    const shape = { sizeBytes: 300 * MB, outputLength: 9000 };
    home.write("session-2026-01-01T00-00-5e551008.jsonl", appendedSession(shape));
    const { list, peakBytes } = listed(home);
    printFigure("300 MB of lines", peakBytes);
    expectWhole(list);
    expect(peakBytes).toBeLessThan(250 * MB);
  });

  test.each([[[]], [["--fresh"]]])("300 MB of small messages need less than 250 MB %s", (more) => {
    const home = new BigHome();
    const lines = smallMessages({ sizeBytes: 300 * MB });
    home.write("session-2026-01-01T00-00-5e551008.jsonl", lines);
    const { list, peakBytes } = listed(home, ...more);
    printFigure(`300 MB of small messages ${more.join(" ")}`, peakBytes);
    expectWhole(list);
    expect(peakBytes).toBeLessThan(250 * MB);
  });

  test("500 MB of appended lines are read", () => {
    const home = new BigHome();
    const shape = { sizeBytes: 500 * MB, outputLength: 30_000 };
    home.write("session-2026-01-01T00-00-5e551008.jsonl", appendedSession(shape));
    const { list, peakBytes } = listed(home);
    printFigure("500 MB of lines", peakBytes);
    expectWhole(list);
    expect(list.sessions[0]?.title).toBe("Prompt 0");
  });

  test("a document of 500 MB is read", () => {
    const home = new BigHome();
    const shape = { sizeBytes: 500 * MB, outputLength: 30_000 };
    home.write("session-2026-01-01T00-00-5e551008.json", documentSession(shape));
    const { list, peakBytes } = listed(home);
    printFigure("a document of 500 MB", peakBytes);
    expectWhole(list);
    expect(list.sessions[0]?.title).toBe("A very long session");
  });
});
