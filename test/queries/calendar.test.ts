import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addDays, Calendar, weekOf } from "../../src/queries/calendar.ts";

describe("a calendar", () => {
  test.each([
    ["UTC", "2026-02-10T23:30:00Z", "2026-02-10T23"],
    ["Europe/Berlin", "2026-02-10T23:30:00Z", "2026-02-11T00"],
    ["America/Los_Angeles", "2026-02-10T07:59:59Z", "2026-02-09T23"],
    ["Asia/Kolkata", "2026-02-10T18:29:59Z", "2026-02-10T23"],
    ["Asia/Kolkata", "2026-02-10T18:30:00Z", "2026-02-11T00"],
    ["Asia/Kathmandu", "2026-02-10T18:15:00Z", "2026-02-11T00"],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03"],
    ["America/New_York", "1970-01-01T00:00:00Z", "1969-12-31T19"],
  ])("in %s maps %s to %s", (zone, at, hour) => {
    const calendar = new Calendar(zone);
    expect(calendar.keyOf(at, "hour")).toBe(hour);
    expect(calendar.keyOf(at, "day")).toBe(hour.slice(0, 10));
    expect(calendar.keyOf(at, "month")).toBe(hour.slice(0, 7));
  });

  test('returns "unknown" for missing and invalid times', () => {
    const calendar = new Calendar("UTC");
    for (const at of [undefined, "", "soon", "+275760-09-13T00:00:00.000Z"]) {
      expect(calendar.keyOf(at, "day")).toBe("unknown");
    }
  });

  test("refuses an unknown time zone", () => {
    expect(() => new Calendar("Mars/Olympus")).toThrow("Mars/Olympus");
  });

  test.each([
    ["2026-01-01", "2026-W01"],
    ["2027-01-01", "2026-W53"],
    ["2024-12-30", "2025-W01"],
    ["2021-01-03", "2020-W53"],
    ["2026-11-15", "2026-W46"],
  ])("maps %s to week %s", (day, week) => {
    expect(weekOf(day)).toBe(week);
  });

  test("finds the first instant of a day, even if the day begins at one o'clock", () => {
    const start = (zone: string, day: string): string =>
      new Date(new Calendar(zone).startOf(day)).toISOString();
    expect(start("Europe/Berlin", "2026-03-29")).toBe("2026-03-28T23:00:00.000Z");
    expect(start("Europe/Berlin", "2026-03-30")).toBe("2026-03-29T22:00:00.000Z");
    expect(start("Africa/Cairo", "2025-04-25")).toBe("2025-04-24T22:00:00.000Z");
    expect(start("Pacific/Kiritimati", "2026-01-01")).toBe("2025-12-31T10:00:00.000Z");
  });

  test("gives the same results from its cache", () => {
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu");
    const times = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(zones, fc.array(times, { minLength: 2, maxLength: 20 }), (zone, instants) => {
        const used = new Calendar(zone);
        for (const ms of [...instants, ...instants]) {
          const at = new Date(ms).toISOString();
          expect(used.keyOf(at, "hour")).toBe(new Calendar(zone).keyOf(at, "hour"));
        }
      }),
      { numRuns: 20 },
    );
  });

  test.each(["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Caracas"])(
    "without a zone equals the calendar of the machine's zone: %s",
    (zone) => {
      vi.stubEnv("TZ", zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      const [own, named] = [new Calendar(undefined), new Calendar(zone)];
      const times = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(10_001, 0) });
      const near = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
      fc.assert(
        fc.property(fc.oneof(times, near), (ms) => {
          const at = new Date(ms).toISOString();
          expect(own.keyOf(at, "hour")).toBe(named.keyOf(at, "hour"));
        }),
        { numRuns: 500 },
      );
      expect(own.timezone).toBe(named.timezone);
    },
  );

  test("adds days over the ends of months and years", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  });
});
