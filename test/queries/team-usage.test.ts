import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SMALL } from "../../src/queries/team/team-usage-table.ts";
import { planTeamUsage, withNames } from "../../src/queries/team/team-usage.ts";
import type { Did } from "./team-answers.ts";
import { answered, BOTH, JANUARY, NOW, prices, shownBy, work } from "./team-answers.ts";

describe("team usage", () => {
  test("with a filter shows the same as the group of that name", () => {
    fc.assert(
      fc.property(work, fc.constantFrom("p", "q"), (all, project) => {
        const smallest = 3;
        const groups = shownBy(all, ["project", "model"], smallest);
        const narrow = answered(all, { by: ["model"], project, ...JANUARY }, smallest);
        for (const {
          groups: [model],
          requests,
        } of narrow.rows) {
          if (model?.key === SMALL) continue;
          expect(requests).toBe(groups.get(JSON.stringify({ project, model: model?.key })));
        }
        const alone = shownBy(all, ["project"], smallest).get(JSON.stringify({ project }));
        expect(narrow.totals?.requests).toBe(alone);
      }),
    );
  });

  test("of two periods differs by whole months, each shown or withheld", () => {
    fc.assert(
      fc.property(work, (all) => {
        const sum = (span: typeof JANUARY): number => {
          return answered(all, { by: [], ...span }, 3).totals?.requests ?? 0;
        };
        const february = { sinceMs: JANUARY.untilMs, untilMs: BOTH.untilMs };
        expect(sum(BOTH)).toBe(sum(JANUARY) + sum(february));
        const inside = { sinceMs: Date.UTC(2026, 0, 20), untilMs: Date.UTC(2026, 1, 3) };
        expect(sum(inside)).toBe(sum(BOTH));
      }),
    );
  });

  test("treats one day of another month as that month", () => {
    const short = { sinceMs: Date.UTC(2026, 1, 1), untilMs: Date.UTC(2026, 2, 2) };
    const telling = { smallestGroup: 5, nowMs: Date.UTC(2026, 2, 2, 9) };
    expect(planTeamUsage({ by: ["team"], ...short }, prices, telling)).toMatchObject({
      by: ["range", "team"],
      ranges: [{}, {}, "timeless"],
    });
  });

  test("withholds a team of five after one person has left", () => {
    const of = (people: number, month: number): Did[] => {
      return Array.from({ length: people }, (_, person) => {
        return { person, month, project: "p", model: "a-1" };
      });
    };
    const all = [...of(5, 0), ...of(4, 1)];
    const { rows, isWithheld } = answered(all, { by: ["month"], ...BOTH }, 5);
    expect(rows.map(({ groups, people }) => [groups[0]?.key, people])).toEqual([["2026-01", 5]]);
    expect(isWithheld).toBe(true);
  });

  test("excludes today, and shows single people if the policy allows it", () => {
    const all: Did[] = [{ person: 1, month: 10, project: "p", model: "a-1" }];
    const november = { sinceMs: Date.UTC(2026, 10, 1), untilMs: NOW };
    const strict = answered(all, { by: ["person"], ...november }, 5);
    expect(strict).toMatchObject({ rows: [], totals: null, isWithheld: true });
    expect(strict.period.until).toBe("2026-11-16T00:00:00.000Z");
    const open = answered(all, { by: ["person"], timezone: "Asia/Tokyo", ...november }, 1);
    expect(open).toMatchObject({
      isWithheld: false,
      rows: [{ groups: [{ key: "1" }], people: 1 }],
    });
    expect(open.period).toMatchObject({
      until: "2026-11-16T09:00:00.000Z",
      timezone: "Asia/Tokyo",
    });
    const other = answered(all, { by: ["month"], person: "2", ...november }, 1);
    expect(other).toMatchObject({ rows: [], isWithheld: false });
  });
});

test("team usage has names of people, except those who left", () => {
  const all: Did[] = [1, 2].map((person) => ({ person, project: "p", model: "a-1", month: 0 }));
  const period = { sinceMs: 0, untilMs: NOW };
  const report = answered(all, { by: ["person"], ...period }, 1);
  const people = [
    { id: 1, name: "Ada" },
    { id: 2, name: "Bob", leftMs: 5 },
  ];
  const labels = withNames(report, people).rows.map(({ groups }) => groups[0]?.label);
  expect(new Set(labels)).toEqual(new Set(["Ada", "former member (2)"]));
});

test("team usage is in order of months, whatever the store's order", () => {
  const all: Did[] = [1, 0, 1, 0].map((month, person) => {
    return { person, project: "p", model: "a-1", month };
  });
  const report = answered(all, { by: ["month"], sinceMs: 0, untilMs: NOW }, 1);
  expect(report.rows.map(({ groups }) => groups[0]?.key)).toEqual(["2026-01", "2026-02"]);
});
