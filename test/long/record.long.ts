import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendedSession, BigHome, SESSION } from "./big-home.ts";
import { MB, runMeasured, printFigure } from "./measured.ts";

/** Runs the program, prints its peak memory and time, and returns its JSON answer. */
function ran(args: readonly string[]): { answer: Record<string, unknown>; peakBytes: number } {
  const begun = process.hrtime.bigint();
  const { stdout, peakBytes } = runMeasured([...args, "--json"]);
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  printFigure(`${args[0]} (${seconds.toFixed(1)} s)`, peakBytes);
  return { answer: JSON.parse(stdout) as Record<string, unknown>, peakBytes };
}

describe("a session of 200 MB", () => {
  test("is converted to a record, signed, verified and restored in bounded memory", () => {
    const home = new BigHome();
    const shape = { sizeBytes: 200 * MB, outputLength: 30_000 };
    const name = "session-2026-01-01T00-00-5e551008.jsonl";
    const size = home.write(name, appendedSession(shape));
    const record = join(home.path, "record.json");
    const signature = join(home.path, "record.cose");
    runMeasured(["keys", "new", "big", "--alg", "es256", "--out", home.path]);
    const key = (part: string): string => join(home.path, `big.${part}.pem`);

    // Directly from the disk: keeping a session is measured elsewhere.
    const made = ran(["record", SESSION, "--fresh", "--root", home.root, "--out", record]);
    expect(made.answer["sizeBytes"]).toBeGreaterThan(size * 0.9);
    // The data for restoring the session adds hardly anything to its size.
    expect(made.answer["sizeBytes"]).toBeLessThan(size * 1.1);
    expect(made.peakBytes).toBeLessThan(200 * MB);

    const signing = ["sign", record, "--key", key("key"), "--issuer", "ada", "--out", signature];
    const signed = ran(signing);
    expect(signed.answer).toMatchObject({ algorithm: "ES256", contentHash: made.answer["sha256"] });
    expect(signed.peakBytes).toBeLessThan(200 * MB);

    const verified = ran(["verify", signature, record, "--key", key("pub"), "--issuer", "ada"]);
    expect(verified.answer).toMatchObject({ isVerified: true, findings: [] });
    expect(verified.peakBytes).toBeLessThan(200 * MB);

    const back = ran(["record", "--invert", record, "--out", join(home.path, "back")]);
    expect(back.peakBytes).toBeLessThan(200 * MB);
    const restored = readFileSync(join(home.path, "back", name));
    const original = readFileSync(join(home.root, "tmp", "ledger", "chats", name));
    expect(linesOf(restored)).toBe(linesOf(original));
    expect(isSameLines(restored, original)).toBe(true);
  });
});

function linesOf(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => (byte === 10 ? sum + 1 : sum), 0);
}

/** Compares line by line by value; the order of members may differ. */
function isSameLines(a: Buffer, b: Buffer): boolean {
  let [left, right] = [0, 0];
  while (left < a.length && right < b.length) {
    const [leftEnd, rightEnd] = [a.indexOf(10, left), b.indexOf(10, right)];
    const first = sorted(JSON.parse(a.toString("utf8", left, leftEnd)));
    const second = sorted(JSON.parse(b.toString("utf8", right, rightEnd)));
    if (JSON.stringify(first) !== JSON.stringify(second)) return false;
    [left, right] = [leftEnd + 1, rightEnd + 1];
  }
  return left === a.length && right === b.length;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([x], [y]) => (x < y ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
