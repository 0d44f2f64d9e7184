import { HiddenCells } from "./small-groups.ts";
import { DAY_MS } from "../../core/instant.ts";

/** How many people there are, and how many of them send; `null` if those are too few to report. */
export interface AdoptionCounts {
  people: number;
  /** People with a machine that may send. */
  enrolled: number | null;
  /** People with a machine that was seen within 7 days, and within 30. */
  week: number | null;
  month: number | null;
}

export interface Adoption {
  /** `null` if there are too few people to report. */
  all: AdoptionCounts | null;
  teams: { team: string; takers: AdoptionCounts | null }[];
  /** Machines that may send, those of them silent for a week, and those with an expired token. */
  machines: { active: number; silent: number; ended: number } | null;
  /** Groups with fewer people are not reported. */
  smallestGroup: number;
}

interface Member {
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

const [WEEK_MS, MONTH_MS] = [7 * DAY_MS, 30 * DAY_MS];

/** How many people of each team send. `led`: limit the answer to these teams. */
export function adoptionOf(
  facts: { people: readonly Member[]; devices: readonly Machine[]; led?: readonly string[] },
  { nowMs, smallestGroup }: { nowMs: number; smallestGroup: number },
): Adoption {
  const { led } = facts;
  const isMeant = (team: string): boolean => led === undefined || led.includes(team);
  const people = facts.people.filter(({ leftMs, teams }) => {
    return leftMs === undefined && (led === undefined || teams.some(isMeant));
  });
  const ids = new Set(people.map(({ id }) => id));
  const machines = facts.devices.filter(({ person, revokedMs }) => {
    return ids.has(person) && revokedMs === undefined;
  });
  const active = machines.filter(({ expiresMs }) => expiresMs > nowMs);
  const isSilent = ({ seenMs = 0 }: Machine): boolean => nowMs - seenMs > WEEK_MS;
  const teams = [...new Set(people.flatMap((person) => person.teams))].filter(isMeant).toSorted();
  const parts = people.map(({ id, teams: all }) => {
    const own = all.filter(isMeant);
    return { keys: [own.length === 0 ? [NO_TEAM] : own], people: new Set([id]) };
  });
  const hidden = new HiddenCells(parts, { smallest: smallestGroup });
  const countsOf = (some: ReadonlySet<number>): AdoptionCounts =>
    adoptionCounts(some, active, { nowMs, smallestGroup });
  const isReported = !hidden.has([], []);
  return {
    all: isReported ? countsOf(ids) : null,
    teams: teams.map((team) => {
      const own = new Set(
        people.filter((person) => person.teams.includes(team)).map(({ id }) => id),
      );
      return { team, takers: hidden.has([team]) ? null : countsOf(own) };
    }),
    machines: !isReported
      ? null
      : {
          active: active.length,
          silent: active.filter(isSilent).length,
          ended: machines.length - active.length,
        },
    smallestGroup,
  };
}

/** Key of the people without a team; otherwise subtracting all teams would reveal them. */
const NO_TEAM = "";

function adoptionCounts(
  people: ReadonlySet<number>,
  active: readonly Machine[],
  { nowMs, smallestGroup }: { nowMs: number; smallestGroup: number },
): AdoptionCounts {
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
