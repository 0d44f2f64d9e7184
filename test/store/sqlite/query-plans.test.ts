import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../../src/store/sqlite/database.ts";
import type { Value } from "../../../src/store/sqlite/driver.ts";
import { sumUsage } from "../../../src/store/sqlite/reads/usage.ts";
import type { BucketQuery } from "../../../src/store/store.ts";
import { archiveAt } from "../temporary-archives.ts";

/** Notes how SQLite runs each query. */
class Explained extends Database {
  readonly plans: string[] = [];

  override all<Row>(sql: string, ...values: readonly Value[]): Row[] {
    const steps = super.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    this.plans.push(steps.map(({ detail }) => detail).join("\n"));
    return super.all<Row>(sql, ...values);
  }
}

/** Else all sessions of the root are looked up for each day: seconds with 50,000 sessions. */
test("usage of a root by day finds the buckets of each day by their time", async () => {
  const { location } = await archiveAt();
  const database = new Explained(location, "write");
  onTestFinished(() => database.close());
  const ranges = [{ from: 0, to: 86_400_000 }];
  const asked = { scope: [1], filter: {}, by: ["range"], ranges } as const;
  const query: BucketQuery = { ...asked, priceDates: [], thresholds: [], subagents: "separate" };
  sumUsage(database, query);
  const plans = database.plans.filter((plan) => /SEARCH b\b/.test(plan));
  expect(plans.length).toBeGreaterThan(1);
  for (const plan of plans) expect(plan).toContain("buckets_by_time (quarter>? AND quarter<?)");
});
