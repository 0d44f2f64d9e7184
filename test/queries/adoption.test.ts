import { expect, test } from "vitest";
import { adoptionOf } from "../../src/queries/team/adoption.ts";

const DAY_MS = 86_400_000;
const nowMs = 100 * DAY_MS;
const seen = (daysAgo: number): number => nowMs - daysAgo * DAY_MS;

const people = [
  ...[1, 2, 3].map((id) => ({ id, teams: ["red"] })),
  { id: 4, teams: ["blue"] },
  { id: 5, teams: ["red"], leftMs: 1 },
];
const devices = [
  { person: 1, expiresMs: nowMs + 1, seenMs: seen(1) },
  { person: 1, expiresMs: nowMs + 1, seenMs: seen(90) },
  { person: 2, expiresMs: nowMs + 1, seenMs: seen(20) },
  { person: 3, expiresMs: nowMs - 1, seenMs: seen(1) },
  { person: 4, expiresMs: nowMs + 1, revokedMs: 1, seenMs: seen(1) },
  { person: 5, expiresMs: nowMs + 1, seenMs: seen(1) },
];

test("counts people, not machines, and leaves out people who have left", () => {
  const red = { people: 3, enrolled: 2, month: 2, week: 1 };
  expect(adoptionOf({ people, devices }, { nowMs, smallestGroup: 1 })).toEqual({
    all: { ...red, people: 4 },
    teams: [
      { team: "blue", takers: { people: 1, enrolled: 0, month: 0, week: 0 } },
      { team: "red", takers: red },
    ],
    machines: { active: 3, silent: 2, ended: 1 },
    smallestGroup: 1,
  });
});

test("a small team cannot be derived from the total and the other teams", () => {
  const { all, teams } = adoptionOf({ people, devices }, { nowMs, smallestGroup: 3 });
  expect(all).toEqual({ people: 4, enrolled: null, month: null, week: null });
  // Red's figures would reveal blue's.
  expect(teams).toEqual([
    { team: "blue", takers: null },
    { team: "red", takers: null },
  ]);
  const more = [...people, ...[6, 7].map((id) => ({ id, teams: ["blue"] }))];
  const actual = adoptionOf({ people: more, devices }, { nowMs, smallestGroup: 3 });
  expect(actual.teams.map(({ takers }) => takers?.people)).toEqual([3, 3]);
});

test("a lead sees only their own teams, and groups of too few people are withheld", () => {
  const led = { people, devices, led: ["blue"] };
  expect(adoptionOf(led, { nowMs, smallestGroup: 1 })).toMatchObject({
    all: { people: 1, enrolled: 0 },
    teams: [{ team: "blue" }],
  });
  expect(adoptionOf(led, { nowMs, smallestGroup: 2 })).toMatchObject({ all: null, machines: null });
});
