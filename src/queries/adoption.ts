/** How many people take part, and how many of them send. */
export interface Takers {
  people: number;
  /** With a machine that may send. */
  enrolled: number;
  /** With a machine that was heard of within a week, and within thirty days. */
  week: number;
  month: number;
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
  const takers = (some: readonly Somebody[]): Takers | null => {
    return some.length < smallestGroup ? null : takersOf(some, active, nowMs);
  };
  const teams = [...new Set(people.flatMap((person) => person.teams))].filter(isMeant);
  return {
    all: takers(people),
    teams: teams.toSorted().map((team) => {
      return { team, takers: takers(people.filter((person) => person.teams.includes(team))) };
    }),
    machines:
      people.length < smallestGroup
        ? null
        : {
            active: active.length,
            silent: active.filter(isSilent).length,
            ended: machines.length - active.length,
          },
    smallestGroup,
  };
}

function takersOf(people: readonly Somebody[], active: readonly Machine[], nowMs: number): Takers {
  const ids = new Set(people.map(({ id }) => id));
  const owners = (within: number): number => {
    const own = active.filter(({ person, seenMs = 0 }) => {
      return ids.has(person) && nowMs - seenMs <= within;
    });
    return new Set(own.map(({ person }) => person)).size;
  };
  const enrolled = owners(Infinity);
  return { people: people.length, enrolled, week: owners(WEEK_MS), month: owners(MONTH_MS) };
}
