// @module-tag slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TeamUsageRequest } from "../../src/queries/team/team-usage-table.ts";
import { SMALL } from "../../src/queries/team/team-usage-table.ts";
import type { Did, Parts } from "./team-answers.ts";
import {
  answered,
  FORMS,
  isPartOf,
  JANUARY,
  much,
  peopleOf,
  shownBy,
  work,
} from "./team-answers.ts";

/** Everything that an answer shows, as bits. */
function toldSums(all: readonly Did[], by: TeamUsageRequest["by"], smallest: number): number[] {
  const { rows, totals } = answered(all, { by, ...JANUARY }, smallest);
  return [...rows, ...(totals ? [totals] : [])].map(({ requests }) => requests);
}

function groupsOfPeople(most: number): number[][] {
  const people = [...Array(10).keys()];
  let groups: number[][] = [[]];
  for (const person of people) {
    groups = [
      ...groups,
      ...groups.filter(({ length }) => length < most).map((some) => [...some, person]),
    ];
  }
  return groups.filter(({ length }) => length > 0);
}

/** How many independent sums of only these people's requests can be computed from the others. */
function dimensionOf(
  all: readonly Did[],
  sums: readonly number[],
  people: readonly number[],
): number {
  const rows = sums.map((bits) => all.map((_, at) => Math.floor(bits / 2 ** at) % 2));
  const others = rows.map((row) => row.filter((_, at) => !people.includes(all[at]?.person ?? -1)));
  return rankOf(rows) - rankOf(others);
}

function rankOf(matrix: readonly (readonly number[])[]): number {
  const rows = matrix.map((row) => [...row]);
  let rank = 0;
  for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) {
    const at = rows.findIndex((row, place) => place >= rank && Math.abs(row[column] ?? 0) > 1e-6);
    const pivot = rows[at];
    if (!pivot) continue;
    [rows[at], rows[rank]] = [rows[rank] ?? [], pivot];
    for (const row of rows.slice(rank + 1)) {
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1);
      for (const [place, value] of pivot.entries()) row[place] = (row[place] ?? 0) - factor * value;
    }
    rank += 1;
  }
  return rank;
}

describe("small groups", () => {
  test("shows no group of too few people, directly or by subtraction", () => {
    fc.assert(
      fc.property(work, fc.integer({ min: 2, max: 4 }), (all, smallest) => {
        const actual = FORMS.map((by) => ({ by, groups: shownBy(all, by, smallest) }));
        for (const { by, groups } of actual) {
          for (const [key, bits] of groups) {
            expect(peopleOf(all, bits).size).toBeGreaterThanOrEqual(smallest);
            for (const finer of actual.filter((answer) =>
              by.every((part) => answer.by.includes(part)),
            )) {
              const parts = [...finer.groups].filter(([part]) => isPartOf(key, part));
              if (finer.by === by) continue;
              const left = bits - parts.reduce((sum, [, some]) => sum + some, 0);
              const few = peopleOf(all, left).size;
              expect(few === 0 || few >= smallest, `${key} without its ${finer.by.join()}`).toBe(
                true,
              );
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test("does not depend on the order of the groupings", () => {
    fc.assert(
      fc.property(work, (all) => {
        const shown = (by: Parts): object => {
          const { rows } = answered(all, { by, ...JANUARY }, 3);
          return Object.fromEntries(
            rows.map(({ groups, isSmallGroups, requests }) => [
              JSON.stringify([isSmallGroups, groups.map(({ key }) => key).toSorted()]),
              requests,
            ]),
          );
        };
        expect(shown(["agent", "project"])).toEqual(shown(["project", "agent"]));
      }),
    );
  });

  test.each([
    ["project", "agent"],
    ["project", "model"],
    ["team", "agent"],
    ["team", "project"],
  ] as const)("by %s and %s reveals nobody to those who solve for them", (first, second) => {
    fc.assert(
      fc.property(much, fc.integer({ min: 2, max: 3 }), (all, smallest) => {
        const agents = second === "model" ? [["agent"], [first, "agent"]] : [];
        const coarser = [[], [first], [second], ...agents] as TeamUsageRequest["by"][];
        const known = coarser.flatMap((by) => toldSums(all, by, smallest));
        const more = toldSums(all, [first, second], smallest);
        for (const few of groupsOfPeople(smallest - 1)) {
          const before = dimensionOf(all, known, few);
          expect(dimensionOf(all, [...known, ...more], few), few.join()).toBe(before);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("hides more if what is hidden with a small group is itself known", () => {
    const cells: Record<string, number[]> = {
      "p a-1": [3, 4, 5],
      "p b-1": [1, 2],
      "p c-1": [3, 4, 5],
      "q a-1": [3, 4, 5],
      "q b-1": [3, 4, 5],
      "q c-1": [3, 4, 5],
      "r a-1": [1, 2],
      "r b-1": [0],
      "r c-1": [3, 4, 5],
    };
    const all = Object.entries(cells).flatMap(([name, people]) => {
      const [project = "", model = ""] = name.split(" ");
      return people.map((person) => ({ person, project, model, month: 0 }));
    });
    // p b and r b are hidden. If p b was what is left of p, r b would be what is left of b.
    const { rows } = answered(all, { by: ["project", "agent"], ...JANUARY }, 2);
    const own = rows.filter(({ isSmallGroups }) => !isSmallGroups);
    const actual = own.map(({ groups }) => groups.map(({ key }) => key).join(" "));
    expect(actual.filter((name) => name.startsWith("p")).length).toBeLessThan(2);
    expect(actual.length).toBeGreaterThan(3);
  });

  test("does not show a day that is what is left of a week", () => {
    const of = (people: number[], day: number): Did[] => {
      return people.map((person) => ({ person, day, month: 0, project: "p", model: "a-1" }));
    };
    // Two Sundays, together of enough people, but not each.
    const all = [
      ...[5, 6, 7, 8, 12, 13, 14, 15].flatMap((day) => of([1, 2, 3], day)),
      ...of([1], 11),
      ...of([2, 3], 18),
    ];
    const days = answered(all, { by: ["day"], ...JANUARY }, 3).rows;
    const weeks = answered(all, { by: ["week"], ...JANUARY }, 3).rows;
    const [week] = weeks.filter(({ groups }) => groups[0]?.key === "2026-W02");
    const inside = days.filter(({ groups: [day] }) => {
      return day && day.key >= "2026-01-05" && day.key <= "2026-01-11";
    });
    const left = (week?.requests ?? 0) - inside.reduce((sum, { requests }) => sum + requests, 0);
    expect(inside.length).toBeGreaterThan(2);
    expect(new Set(peopleOf(all, left))).toEqual(new Set([1, 2, 3]));
  });

  test("adds up everybody once, whatever teams they are in, and shows no difference of teams", () => {
    const all: Did[] = [...Array(10).keys()].map((person) => {
      return { person, month: 0, project: "p", model: "a-1" };
    });
    const open = answered(all, { by: ["team"], ...JANUARY }, 1);
    expect(open.totals).toMatchObject({ people: 10, requests: 2 ** 10 - 1 });
    expect(open.rows.map(({ groups, people }) => [groups[0]?.key, people])).toEqual([
      ["", 2],
      ["x", 5],
      ["y", 4],
      ["z", 2],
    ]);
    const strict = answered(all, { by: ["team"], ...JANUARY }, 3);
    expect(strict.totals).toEqual(open.totals);
    // With y, x and the total, those who are in both could be computed.
    expect(strict.rows.map(({ groups, people }) => [groups[0]?.key, people])).toEqual([
      ["x", 5],
      [SMALL, 5],
    ]);
  });

  test("tells a group called like the small ones from them", () => {
    const projects = ["p", "p", "p", "q", "q", "q", SMALL, SMALL, SMALL, SMALL, SMALL];
    const all = projects.map((project, person) => ({ person, project, month: 0, model: "a-1" }));
    const { rows } = answered(all, { by: ["project"], ...JANUARY }, 5);
    expect(rows.map(({ isSmallGroups, people }) => [isSmallGroups, people])).toEqual([
      [false, 5],
      [true, 6],
    ]);
  });
});
