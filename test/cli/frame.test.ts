import { describe, expect, it } from "vitest";
import { momentOf } from "../../src/cli/moment.ts";

describe("momentOf", () => {
  it("refuses a day that no month has", () => {
    const now = new Date(2026, 10, 15, 12);
    expect(momentOf("2026-02-31", { now, edge: "begin" })).toBeUndefined();
  });
});
