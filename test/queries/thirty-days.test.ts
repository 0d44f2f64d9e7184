import { expect, test } from "vitest";
import { Calendar } from "../../src/queries/calendar.ts";
import { momentOf } from "../../src/queries/moment.ts";
import { planOverview } from "../../src/queries/overview.ts";
import { PriceBook } from "../../src/queries/prices/prices.ts";
import { spanOf } from "../../web/period.ts";

const NOW = new Date("2026-11-15T12:00:00Z");

// The browser uses the local time zone, which is the machine's own here.
test.each(["UTC", "America/Los_Angeles", "Asia/Tokyo"])(
  "the CLI and the overview agree on 30 days in %s",
  (zone) => {
    const overview = planOverview({ nowMs: NOW.getTime(), timezone: zone }, new PriceBook());
    const since = momentOf("30d", { now: NOW, edge: "begin", timezone: zone });
    expect(since).toBe(overview.last30Days.sinceMs);
    expect(new Calendar(zone).dayOf(since ?? Number.NaN)).toBe(overview.since.last30Days);
  },
);

test("the browser and the overview agree on 30 days", () => {
  const { since } = spanOf(new URLSearchParams("period=30d"), NOW, "30d");
  expect(since).toBe(planOverview({ nowMs: NOW.getTime() }, new PriceBook()).since.last30Days);
});
