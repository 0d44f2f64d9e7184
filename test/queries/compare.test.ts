import { describe, expect, test } from "vitest";
import { budgetOf, monthOf } from "../../src/queries/prices/budget.ts";
import { Calendar } from "../../src/queries/calendar.ts";
import { sideFilter } from "../../src/queries/compare.ts";
import { Tally } from "../../src/queries/usage/tally.ts";

const UTC = new Calendar("UTC");
const totals = (costMicroUsd: number | null) => ({ ...new Tally().sums(), costMicroUsd });

describe("a budget", () => {
  const month = monthOf(Date.UTC(2026, 10, 16), UTC);

  test("covers the month in the requested time zone", () => {
    expect(month).toEqual({
      key: "2026-11",
      sinceMs: Date.UTC(2026, 10, 1),
      untilMs: Date.UTC(2026, 11, 1),
    });
    expect(monthOf(Date.UTC(2026, 11, 31, 23), new Calendar("Asia/Tokyo")).key).toBe("2027-01");
  });

  test.each([
    [15, 100, "within", 200],
    [15, 151, "forecast-over", 302],
    [15, 301, "over", 602],
    [0, 10, "within", null],
    [15, null, "unknown", null],
  ])("after %i days with %s spent it is %s", (days, spent, state, forecast) => {
    const nowMs = month.sinceMs + days * 86_400_000;
    const answer = budgetOf(300, { month, nowMs, totals: totals(spent) });
    expect([answer.state, answer.forecastMicroUsd]).toEqual([state, forecast]);
    expect([answer.daysPassed, answer.daysOfMonth]).toEqual([days, 30]);
  });
});

describe("a period to compare", () => {
  test.each([
    ["2026-02", "2026-02-01", "2026-03-01"],
    ["2026-12", "2026-12-01", "2027-01-01"],
    ["2026-10-15", "2026-10-15", "2026-10-16"],
    ["2026-10-01..2026-10-07", "2026-10-01", "2026-10-08"],
  ])("%s", (name, since, until) => {
    const { sinceMs = 0, untilMs = 0 } = sideFilter("periods", name, UTC);
    const days = [sinceMs, untilMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
    expect(days).toEqual([since, until]);
  });

  test.each(["soon", "2026-13", "2026-02-30", "2026-10-07..2026-10-01", "2026"])(
    "%s is refused",
    (name) => {
      expect(() => sideFilter("periods", name, UTC)).toThrow(/is not a period/);
    },
  );
});
