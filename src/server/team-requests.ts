import type { IncomingMessage } from "node:http";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { TeamRole } from "../core/team/team.ts";
import { beginAuditAccess, closeSession, openSession } from "../library/team/team-owners.ts";
import type { TeamAdmin } from "../library/team/team.ts";
import type { TeamGrouping } from "../queries/team/team-usage-table.ts";
import { TEAM_FILTERS, TEAM_GROUPINGS } from "../queries/team/team-usage-table.ts";
import type { Person } from "../store/team.ts";
import { bodyBytes } from "./body.ts";
import type { Reply } from "./reply.ts";
import { errorReply, versionedReply } from "./reply.ts";
import { Question } from "./question.ts";
import { DAY_MS } from "../core/instant.ts";

const MOST_BODY_BYTES = 16_384;
const YEAR_MS = 366 * DAY_MS;

interface Asked {
  admin: TeamAdmin;
  person: Person;
  address: URL;
  body: () => Promise<Record<string, unknown>>;
  nowMs: number;
}

/** Requests about oneself in a team, and about the team. */
export class TeamRequests {
  readonly #admin: TeamAdmin;
  readonly #now: () => number;

  constructor({ admin, now }: { admin: TeamAdmin; now: () => number }) {
    this.#admin = admin;
    this.#now = now;
  }

  async answer(
    request: IncomingMessage,
    { address, person }: { address: URL; person: Person },
  ): Promise<Reply> {
    const asked = address.pathname.replace("/api/", "").replace(/\/$/, "");
    const found = ANSWERS[`${request.method} ${asked}`];
    if (!found) {
      return errorReply(404, { code: "no-such-question", message: "Unknown API endpoint." });
    }
    if (request.method === "POST" && request.headers["content-type"] !== "application/json") {
      return errorReply(400, { code: "garbage", message: "Send application/json." });
    }
    const body = async (): Promise<Record<string, unknown>> => {
      const text = (await bodyBytes(request, MOST_BODY_BYTES)).toString("utf8");
      return parsed(text);
    };
    const admin = this.#admin;
    return found({ admin, person, address, body, nowMs: this.#now() });
  }
}

type Doing = (asked: Asked) => Promise<Reply>;

const ANSWERS: Readonly<Record<string, Doing>> = {
  "GET me": async ({ admin, person }) => {
    const { subject, name, roles, teams } = person;
    const devices = await admin.team.devices.of(person.id);
    const looks = await admin.team.looks.at(person.id);
    const opened = await admin.team.openings.of(person.id);
    const owners = (await admin.team.openings.owners(person.id)).map((owner) => {
      return { subject: owner.subject, name: owner.name, opened: owner.opened };
    });
    const self = { subject, name, roles, teams, team: admin.team.tenant.name };
    return versionedReply({ ...self, devices, looks, opened, owners });
  },
  "POST me/open": async ({ admin, person, body, nowMs }) => {
    const given = await body();
    const { session } = texts(given, "session");
    const to = given["team"] === undefined ? undefined : texts(given, "team").team;
    const asked = { session, ...optional("to", to), atMs: nowMs };
    return versionedReply(await openSession(admin.team, person, asked));
  },
  "POST me/close": async ({ admin, person, body }) => {
    await closeSession(admin.team, person, texts(await body(), "session").session);
    return versionedReply({});
  },
  "POST me/codes": async ({ admin, person }) => versionedReply(await admin.addCode(person.subject)),
  "POST me/revoke": async ({ admin, person, body, nowMs }) => {
    const { device } = await body();
    const isDone = await admin.team.devices.revoke(String(device), person.id, nowMs);
    return isDone
      ? versionedReply({})
      : errorReply(404, { code: "no-such-device", message: "No such machine." });
  },
  "GET team/usage": teamUsage,
  "GET team/adoption": async ({ admin, person }) => {
    const role = allow(person, "admin", "payer", "lead");
    return versionedReply(await admin.adoption(person, role));
  },
  "GET team/doctor": async ({ admin, person }) => {
    allow(person, "admin");
    return versionedReply(await admin.doctor());
  },
  "GET team/people": async ({ admin, person }) => {
    allow(person, "admin");
    return versionedReply({ people: await admin.people() });
  },
  "GET team/receipts": async ({ admin, person }) => {
    allow(person, "admin");
    return versionedReply({ receipts: await admin.team.looks.receipts() });
  },
  "POST team/looks": async ({ admin, person, body, nowMs }) => {
    allow(person, "auditor");
    const { subject, session, reason } = texts(await body(), "subject", "session", "reason");
    const asked = { subject, session, reason, atMs: nowMs };
    return versionedReply(await beginAuditAccess(admin.team, person, asked));
  },
};

async function teamUsage({ admin, person, address, nowMs }: Asked): Promise<Reply> {
  const role = allow(person, "payer", "lead");
  const { searchParams } = address;
  const by = (searchParams.get("by") ?? "month").split(",") as TeamGrouping[];
  const wrong = by.find((key) => !TEAM_GROUPINGS.includes(key));
  const periods = by.filter((key) => !TEAM_FILTERS.some((name) => name === key));
  if (wrong !== undefined || by.length > 2 || periods.length > 1) {
    throw new PolluxError("wrong-usage", `Usage cannot be grouped by "${by.join(",")}".`, {
      remedy: `Use one or two of ${TEAM_GROUPINGS.join(", ")}, with one period at most.`,
    });
  }
  const question = new Question(searchParams);
  const { sinceMs, untilMs = nowMs } = question.ledgerFilter();
  const named = TEAM_FILTERS.flatMap((name) => {
    const text = question.text(name === "person" ? "owner" : name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const asked = {
    by,
    untilMs,
    sinceMs: sinceMs ?? untilMs - YEAR_MS,
    ...optional("timezone", question.timezone()),
    ...Object.fromEntries(named),
  };
  return versionedReply(await admin.usage({ viewer: person.id, role }, asked));
}

/** The first of these roles that the person has; throws if there is none. */
function allow<Role extends TeamRole>({ roles }: Person, ...wanted: readonly Role[]): Role {
  const role = wanted.find((each) => roles.includes(each));
  if (role !== undefined) return role;
  throw new PolluxError("not-allowed", `This needs the role ${wanted.join(" or ")}.`);
}

/** Members of the body that must all be non-empty texts. */
function texts<Name extends string>(
  body: Record<string, unknown>,
  ...names: readonly Name[]
): Record<Name, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const text = body[name];
    if (typeof text !== "string" || text.trim() === "") {
      throw new PolluxError("wrong-usage", `"${name}" is missing.`);
    }
    found[name] = text.trim();
  }
  return found;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new PolluxError("wrong-usage", "The request body is not JSON.");
}
