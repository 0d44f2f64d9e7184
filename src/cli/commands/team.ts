import { wrongUsage } from "../../core/error.ts";
import { addCode, addPerson, leave, revoke, subjectOf } from "../team-people.ts";
import type { TeamWork } from "../team-people.ts";
import { openTeamAdmin, initTeam } from "../../library/team/team.ts";
import type { PolicyChanges } from "../../library/team/team.ts";
import { optional } from "../../core/optional.ts";
import type { SyncLevel } from "../../core/team/team.ts";
import { SYNC_LEVELS, TEAM_ROLES } from "../../core/team/team.ts";
import type { Command, Context } from "../command.ts";
import type { ExitCode } from "../exit.ts";
import { EXIT } from "../exit.ts";
import { storeAddress } from "../store-address.ts";
import { counted } from "../print/figures.ts";
import { safeLine } from "../print/safe.ts";
import { verifyLines } from "../print/archive.ts";
import type { TeamAnswer } from "../print/team.ts";
import {
  countLines,
  lakeLines,
  peopleLines,
  policyLines,
  receiptLines,
  teamLines,
} from "../print/team.ts";
import { printAnswer } from "../print-answer.ts";

const ACTIONS = [
  "init",
  "migrate",
  "doctor",
  "rebuild",
  "resend",
  "policy",
  "people",
  "add",
  "code",
  "revoke",
  "leave",
  "erase",
  "receipts",
  "lake",
] as const;
type Action = (typeof ACTIONS)[number];

export const command: Command = {
  about:
    "For the owner of a team's database (--store). init: set up the database. migrate: update " +
    "its tables. doctor: show who sends, what could not be read, and what needs attention. " +
    "rebuild: derive all data again from the stored files. resend: have machines send again what " +
    "is missing, after a backup was restored. policy: show or change what is sent, shown and " +
    "kept. people: list members. add: add or change a member. code: create a code for `pollux " +
    "sync enrol` on one of their machines. revoke: stop a machine from sending, or take a role " +
    "away. leave: end a membership. erase: remove a session, or everything of a person, " +
    "permanently. receipts: list what was erased or has expired. lake: write usage sums as Parquet, by month, into a folder.",
  arguments: [
    { name: "<action>", about: "what to do", choices: ACTIONS },
    { name: "[who]", about: "the person's sign-in name; for lake, the folder" },
  ],
  options: [
    {
      flags: "--person-keys",
      about: "init: encrypt files with a key per person; POLLUX_TEAM_KEY holds the team's key",
    },
    { flags: "--verify", about: "doctor: also check every stored byte against its digest" },
    {
      flags: "--level <level>",
      about: "policy: the highest level that machines send",
      choices: SYNC_LEVELS,
    },
    {
      flags: "--masked <answer>",
      about: "policy: mask secrets before they leave a machine",
      choices: ["yes", "no"],
    },
    {
      flags: "--lower <answer>",
      about: "policy: allow people to send less than the level",
      choices: ["yes", "no"],
    },
    { flags: "--smallest-group <count>", about: "policy: hide sums over fewer people than this" },
    {
      flags: "--retention-days <count>",
      about: "policy: remove older sessions, once a day; none: never",
    },
    {
      flags: "--conversation-days <count>",
      about: "policy: of older sessions, keep only what the level outline sends",
    },
    {
      flags: "--audit-days <count>",
      about: "policy: remove older records of accesses and erasures",
    },
    {
      flags: "--as <who>",
      about: "lake: only what this person may see, and all their own replies",
    },
    {
      flags: "--since <month>",
      about: "lake: from this month on, such as 2026-01 (default: two years)",
    },
    { flags: "--session <id>", about: "erase: only this session" },
    { flags: "--yes", about: "erase: confirm permanent removal (required)" },
    { flags: "--name <name>", about: "init: the team's name; add: the person's name" },
    {
      flags: "--team <name>",
      about: "add: make the person a member of this team (repeatable)",
      isRepeatable: true,
    },
    {
      flags: "--role <role>",
      about: "add, revoke: give the person this role, or take it away (repeatable)",
      choices: TEAM_ROLES,
      isRepeatable: true,
    },
    { flags: "--machine <name>", about: "revoke: the machine that may no longer send" },
  ],
  examples: [
    { line: "team init --store postgres://owner@db.example/pollux", about: "set up the database" },
    { line: "team add ada@example.com --name Ada --team platform", about: "with POLLUX_STORE set" },
    { line: "team code ada@example.com", about: "a code for one of her machines" },
    { line: "team policy --level outline --retention-days 365", about: "send and keep less" },
    { line: "team lake ./lake --since 2026-01", about: "for DuckDB, ClickHouse, Spark" },
    { line: "team doctor", about: "check the team's store" },
  ],
  async run(context) {
    const [action, who] = context.args;
    const address = addressOf(context);
    if (action === "init") return init(address, context);
    const admin = await openTeamAdmin(address, { clock: () => Date.now() });
    try {
      return await perform(action as Exclude<Action, "init">, { admin, who, context });
    } finally {
      await admin.close();
    }
  },
};

function addressOf({ options, env }: Context): string {
  const address = storeAddress(options, env);
  if (address) return address;
  throw wrongUsage("Missing database: name the team's store with --store or POLLUX_STORE.", {
    remedy: "Use an address like postgres://user@host/database.",
  });
}

async function init(address: string, context: Context): Promise<ExitCode> {
  const name = context.options.text("name") ?? "team";
  const keys = context.options.has("personKeys") ? "of each person" : "none";
  await initTeam(address, name, { keys });
  return printAnswer<TeamAnswer>(context, { name }, [
    `${safeLine(name)} is ready. Next:`,
    "  pollux team add ada@example.com     add a person",
    "  pollux team code ada@example.com    create a code for one of their machines",
    "  pollux serve                        start the server that machines send to",
  ]);
}

async function perform(action: Exclude<Action, "init">, work: TeamWork): Promise<ExitCode> {
  const { admin, context } = work;
  switch (action) {
    case "migrate": {
      // Opening the store has migrated it.
      const { name, unread } = await admin.doctor();
      const left =
        `${counted(unread, "file")} must be read again: ` +
        "by the next start of `pollux serve`, or by `pollux team rebuild`.";
      const more = unread === 0 ? [] : [left];
      return printAnswer<TeamAnswer>(context, { name, unread }, [
        "Everything is up to date.",
        ...more,
      ]);
    }
    case "doctor":
      return doctor(work);
    case "rebuild": {
      const sessions = await admin.rebuild();
      return printAnswer<TeamAnswer>(context, { sessions }, [
        `Rebuilt ${counted(sessions, "session")}.`,
      ]);
    }
    case "people": {
      const people = await admin.people();
      return printAnswer<TeamAnswer>(context, { people }, peopleLines(people, context));
    }
    case "policy": {
      const policy = await admin.setPolicy(changesOf(context));
      return printAnswer<TeamAnswer>(context, policy, policyLines(policy));
    }
    case "leave":
      return leave(work);
    case "revoke":
      return revoke(work);
    case "resend":
      await admin.team.newEpoch();
      return printAnswer<TeamAnswer>(context, { name: admin.team.tenant.name }, [
        "From their next run on, machines send again what is missing here.",
      ]);
    case "erase":
      return erase(work);
    case "receipts": {
      const receipts = await admin.team.looks.receipts();
      return printAnswer<TeamAnswer>(context, { receipts }, receiptLines(receipts));
    }
    case "lake":
      return lake(work);
    case "add":
      return addPerson(work);
    case "code":
      return addCode(work);
    default:
      return action satisfies never;
  }
}

async function doctor({ admin, context }: TeamWork): Promise<ExitCode> {
  const report = await admin.doctor();
  if (!context.options.has("verify"))
    return printAnswer<TeamAnswer>(context, report, teamLines(report, context));
  const verified = await admin.verify();
  const lines = [...teamLines(report, context), ...verifyLines(verified, context)];
  await printAnswer<TeamAnswer>(context, { ...report, verified }, lines);
  return verified.problems.length === 0 ? EXIT.ok : EXIT.failed;
}

/** Irreversible, so it requires --yes. */
async function erase(work: TeamWork): Promise<ExitCode> {
  const { admin, context } = work;
  const session = context.options.text("session");
  if (!context.options.has("yes")) {
    throw wrongUsage("Erasing permanently removes files, derived data and indexed text.", {
      remedy:
        "Confirm with --yes. --session ID removes one session only, not everything of a person.",
    });
  }
  const receipt = await admin.erase(subjectOf(work), session);
  const lines = [`Erased; receipt ${receipt.id}:`, ...countLines(receipt)];
  return printAnswer<TeamAnswer>(context, receipt, lines);
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

async function lake({ admin, who: folder, context }: TeamWork): Promise<ExitCode> {
  const { options } = context;
  if (folder === undefined) throw wrongUsage("Missing folder: `pollux team lake ./lake`.");
  const [as, since] = [options.text("as"), options.text("since")];
  if (since !== undefined && !MONTH.test(since)) {
    throw wrongUsage(`--since takes a month such as 2026-01, not "${since}".`);
  }
  const last = context.now.toISOString().slice(0, 7);
  const first = since ?? `${Number(last.slice(0, 4)) - 2}${last.slice(4)}`;
  const { writeLake } = await import("../../library/team/team-lake.ts");
  const person = as === undefined ? undefined : await admin.person(as);
  const asked = { folder, first, last, ...optional("person", person) };
  const answer = await writeLake(admin, asked);
  return printAnswer<TeamAnswer>(context, answer, lakeLines(answer));
}

function changesOf({ options }: Context): PolicyChanges {
  const [level, masked, lower] = ["level", "masked", "lower"].map((name) => options.text(name));
  const smallest = options.count("smallestGroup");
  const days = (name: string): number | null | undefined => {
    return options.text(name) === "none" ? null : options.count(name);
  };
  return {
    ...optional("level", level as SyncLevel | undefined),
    ...optional("masked", masked === undefined ? undefined : masked === "yes"),
    ...optional("mayLower", lower === undefined ? undefined : lower === "yes"),
    ...optional("smallestGroup", smallest),
    ...optional("retentionDays", days("retentionDays")),
    ...optional("conversationDays", days("conversationDays")),
    ...optional("auditDays", days("auditDays")),
  };
}
