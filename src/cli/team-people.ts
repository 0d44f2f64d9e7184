import { wrongUsage } from "../core/error.ts";
import type { TeamAdmin } from "../library/team/team.ts";
import type { TeamRole } from "../core/team/team.ts";
import type { TeamAnswer } from "./print/team.ts";
import type { Context } from "./command.ts";
import type { ExitCode } from "./exit.ts";
import { safeLine } from "./print/safe.ts";
import { printAnswer } from "./print-answer.ts";

/** One action of `pollux team`; `who` is a person's sign-in name, or a folder. */
export interface TeamWork {
  admin: TeamAdmin;
  who: string | undefined;
  context: Context;
}

/** Adds a person, or changes one. */
export async function addPerson(work: TeamWork): Promise<ExitCode> {
  const { admin, context } = work;
  const { options } = context;
  const [name, teams] = [options.text("name"), options.list("team")];
  const roles = options.list("role") as TeamRole[];
  if (roles.includes("lead") && teams.length === 0) {
    throw wrongUsage("The role lead needs a team: name it with --team.");
  }
  const person = await admin.put({
    subject: subjectOf(work),
    roles,
    ...(name === undefined ? {} : { name }),
    ...(teams.length === 0 ? {} : { teams }),
  });
  const what = [...person.teams, ...person.roles].map(safeLine).join(", ");
  return printAnswer<TeamAnswer>(context, person, [`${safeLine(person.name)}: ${what}`]);
}

export async function addCode(work: TeamWork): Promise<ExitCode> {
  const code = await work.admin.addCode(subjectOf(work));
  return printAnswer<TeamAnswer>(work.context, code, [
    code.code,
    "",
    "Run this on their machine within 15 minutes:",
    `  pollux sync enrol ${code.code} --to https://…`,
  ]);
}

/** Takes the token of a machine, or roles, away from a person. */
export async function revoke(work: TeamWork): Promise<ExitCode> {
  const { admin, context } = work;
  const [subject, machine] = [subjectOf(work), context.options.text("machine")];
  const roles = context.options.list("role") as TeamRole[];
  if (machine === undefined && roles.length === 0) {
    throw wrongUsage("Missing machine or role: give --machine NAME or --role ROLE.");
  }
  if (machine !== undefined) await admin.revokeMachine(subject, machine);
  const person = await admin.revokeRoles(subject, roles);
  const lines = [
    ...(machine === undefined ? [] : [`${safeLine(machine)} can no longer send.`]),
    ...(roles.length === 0 ? [] : [`${safeLine(person.name)}: ${person.roles.join(", ")}`]),
  ];
  return printAnswer<TeamAnswer>(context, person, lines);
}

export async function leave(work: TeamWork): Promise<ExitCode> {
  const subject = subjectOf(work);
  await work.admin.leave(subject);
  return printAnswer<TeamAnswer>(work.context, { subject }, [
    "Their machines can no longer send. What they sent stays; `pollux team erase` removes it.",
    "`pollux team add` lets them return.",
  ]);
}

export function subjectOf({ who }: TeamWork): string {
  if (who !== undefined) return who;
  throw wrongUsage("Missing person: give their sign-in name, such as ada@example.com.");
}
