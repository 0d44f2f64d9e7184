import { PolluxError } from "../../core/error.ts";
import type { TeamRole } from "../../core/team/team.ts";
import type { Device, Person, Team } from "../../store/team.ts";
import { codeDigest, newCode } from "../../team/secrets.ts";

const CODE_MS = 15 * 60_000;

export interface NewPerson {
  subject: string;
  name?: string;
  teams?: readonly string[];
  roles?: readonly TeamRole[];
}

/** Administers the people of a team and their machines. */
export class TeamPeople {
  readonly team: Team;
  protected readonly clock: () => number;

  constructor(team: Team, clock: () => number) {
    this.team = team;
    this.clock = clock;
  }

  async person(subject: string): Promise<Person> {
    const found = await this.team.people.find(subject);
    if (found) return found;
    throw new PolluxError("no-such-person", `No such person: "${subject}".`, {
      remedy: "`pollux team people` lists all people; `pollux team add` adds one.",
    });
  }

  /** Adds a person, or changes one. A person who has left returns. */
  async put(person: NewPerson): Promise<Person> {
    const { subject, name, teams, roles = [] } = person;
    const nowMs = this.clock();
    const known = await this.team.people.find(subject);
    const { id } = await this.team.people.put({ subject, name: name ?? known?.name ?? subject });
    if (known?.leftMs !== undefined) await this.team.people.comeBack(id);
    if (teams) await this.team.people.setTeams(id, teams, nowMs);
    for (const role of roles) {
      if (role !== "lead") await this.team.people.grant(id, role);
      for (const team of role === "lead" ? (teams ?? []) : []) {
        await this.team.people.grant(id, role, team);
      }
    }
    return this.person(subject);
  }

  /** Creates a one-time code to enrol a machine of this person, valid for a quarter of an hour. */
  async addCode(subject: string): Promise<{ code: string; expiresMs: number }> {
    const { id, leftMs } = await this.person(subject);
    if (leftMs !== undefined) throw hasLeft(subject);
    const code = newCode();
    const expiresMs = this.clock() + CODE_MS;
    await this.team.devices.addCode({ digest: codeDigest(code), person: id, expiresMs });
    return { code, expiresMs };
  }

  /** Takes the token of a machine away; it is named as when it was enrolled, or by its id. */
  async revokeMachine(subject: string, machine: string): Promise<void> {
    const { id } = await this.person(subject);
    const active = (await this.team.devices.of(id)).filter(isActive(this.clock()));
    const named = active.filter((device) => [device.name, device.id].includes(machine));
    if (named.length === 0) throw noMachine(machine, active);
    for (const device of named) await this.team.devices.revoke(device.id, id, this.clock());
  }

  /** Takes roles away from a person. */
  async revokeRoles(subject: string, roles: readonly TeamRole[]): Promise<Person> {
    const { id } = await this.person(subject);
    for (const role of roles) await this.team.people.revoke(id, role);
    return this.person(subject);
  }

  /** Marks a person as having left: their machines may no longer send, and they may not sign in. */
  async leave(subject: string): Promise<void> {
    const { id } = await this.person(subject);
    await this.team.people.leave(id, this.clock());
  }
}

export function isActive(nowMs: number): (device: Device) => boolean {
  return ({ revokedMs, expiresMs }) => revokedMs === undefined && expiresMs > nowMs;
}

function hasLeft(subject: string): PolluxError {
  return new PolluxError("no-such-person", `"${subject}" has left the team.`, {
    remedy: "`pollux team add` lets them return.",
  });
}

function noMachine(machine: string, active: readonly Device[]): PolluxError {
  const names = active.map(({ name }) => name).join(", ");
  return new PolluxError("no-such-device", `No machine "${machine}" of theirs can send.`, {
    remedy: names === "" ? "None of their machines can send." : `Machines that can: ${names}.`,
  });
}
