import { HiddenCells } from "./small-groups.ts";

/** How many people take part, and how many of them send; nothing when those are too few. */
export interface Takers {
  people: number;
  /** With a machine that may send. */
  enrolled: number | null;
  /** With a machine that was heard of within a week, and within thirty days. */
  week: number | null;
  month: number | null;
}

export interface Adoption {
  /** Nothing when they are too few to be told. */
  all: Takers | null;
  teams: { team: string; takers: Takers | null }[];
  /** Machines that may send and have been silent for a week, and those whose token has ended. */
  machines: { active: number; silent: number; ended: number } | null;
  /** Of fewer people nothing is told. */
  smallestGroup: number;
}

interface Somebody {
  id: number;
  teams: readonly string[];
  leftMs?: number;
}

interface Machine {
  person: number;
  expiresMs: number;
  seenMs?: number;
  revokedMs?: number;
}

const DAY_MS = 86_400_000;
const [WEEK_MS, MONTH_MS] = [7 * DAY_MS, 30 * DAY_MS];

/** Who of a team sends. `led`: only of these teams. */
export function adoptionOf(
  told: { people: readonly Somebody[]; devices: readonly Machine[]; led?: readonly string[] },
  { nowMs, smallestGroup }: { nowMs: number; smallestGroup: number },
): Adoption {
  const { led } = told;
  const isMeant = (team: string): boolean => led === undefined || led.includes(team);
  const people = told.people.filter(({ leftMs, teams }) => {
    return leftMs === undefined && (led === undefined || teams.some(isMeant));
  });
  const ids = new Set(people.map(({ id }) => id));
  const machines = told.devices.filter(({ person, revokedMs }) => {
    return ids.has(person) && revokedMs === undefined;
  });
  const active = machines.filter(({ expiresMs }) => expiresMs > nowMs);
  const isSilent = ({ seenMs = 0 }: Machine): boolean => nowMs - seenMs > WEEK_MS;
  const teams = [...new Set(people.flatMap((person) => person.teams))].filter(isMeant).toSorted();
  const cells = [...teams, NO_TEAM].map((team) => {
    const own = people.filter((one) =>
      team === NO_TEAM ? one.teams.length === 0 : one.teams.includes(team),
    );
    return { keys: [team], people: new Set(own.map(({ id }) => id)) };
  });
  const hidden = new HiddenCells(
    cells.filter(({ people: own }) => own.size > 0),
    smallestGroup,
  );
  const takers = (some: ReadonlySet<number>): Takers =>
    takersOf(some, active, { nowMs, smallestGroup });
  const isTold = !hidden.has([], []);
  return {
    all: isTold ? takers(ids) : null,
    teams: cells.slice(0, -1).map(({ keys, people: own }) => {
      return { team: keys[0] ?? "", takers: hidden.has(keys) ? null : takers(own) };
    }),
    machines: !isTold
      ? null
      : {
          active: active.length,
          silent: active.filter(isSilent).length,
          ended: machines.length - active.length,
        },
    smallestGroup,
  };
}

/** Those who are in no team: what is left when all teams are taken away. */
const NO_TEAM = "";

function takersOf(
  people: ReadonlySet<number>,
  active: readonly Machine[],
  { nowMs, smallestGroup }: { nowMs: number; smallestGroup: number },
): Takers {
  const owners = (within: number): number | null => {
    const own = active.filter(({ person, seenMs = 0 }) => {
      return people.has(person) && nowMs - seenMs <= within;
    });
    const count = new Set(own.map(({ person }) => person)).size;
    return count < smallestGroup && smallestGroup > 1 ? null : count;
  };
  const enrolled = owners(Infinity);
  return { people: people.size, enrolled, week: owners(WEEK_MS), month: owners(MONTH_MS) };
}
