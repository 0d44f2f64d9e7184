import { isFolder } from "../kernel/open-file.ts";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Conversation, ConversationLoss } from "../core/session/conversation.ts";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { Session } from "../core/session/session.ts";
import { checkPlan, undoHandover, writeHandover } from "../ingest/handover.ts";
import type { InstalledProgram } from "../ingest/installed.ts";
import { installedProgram, isOlder } from "../ingest/installed.ts";
import type { PreparedHandover } from "../queries/handover/prepare.ts";
import { prepareHandover } from "../queries/handover/prepare.ts";
import { sources as allSources } from "../sources/index.ts";
import type { HandoverAbility, HandoverPlan, Root, Source } from "../sources/source.ts";
import { findNamed, readNamed } from "./contents.ts";
import { addReceipt, receiptOf, removeReceipt } from "./handover-receipts.ts";
import { placesOf, sourceNamed } from "./places.ts";
import type { Setup } from "./open-options.ts";
import type { StoreAccess } from "./store-access.ts";

/** The target agent, and how much of the conversation it gets. */
export interface HandoverOptions {
  /** The agent's id or short name. */
  to: string;
  /** Write tool calls as the new agent's own calls (the default), or as text in the answers. */
  tools?: "native" | "as-text";
  /** Start at this message: its id or a prefix of it. */
  fromMessageId?: string;
  /** Approximate maximum number of tokens. */
  fitTokens?: number;
  /** The directory to continue in; the session's by default. */
  projectPath?: string;
  /** The agent's folder; its default one if absent. */
  into?: string;
  /** The agent's version; the installed one by default. */
  forVersion?: string;
  /**
   * What to do if the agent is not installed: refuse, unless its folder or version is given; or
   * write anyway, because the program is elsewhere.
   */
  absent?: "is-refused" | "is-elsewhere";
  /** Secrets are masked by default. */
  masking?: "masked" | "plain";
  writes?: "really" | "dry-run";
  nowMs: number;
}

/** What was written for another agent, or would be written. Unknown values are `null`. */
export interface HandoverAnswer {
  outcome: "written" | "would-write";
  from: { source: string; agent: string; sessionId: string };
  to: { source: string; agent: string; program: string | null; version: string | null };
  /** Id of the new session; for a dry run, an example. */
  sessionId: string;
  title: string;
  projectPath: string;
  isProjectThere: boolean;
  root: string;
  file: string;
  sizeBytes: number;
  /** The agent's index and marker files that are written as well. */
  alsoWritten: string[];
  /** Approximate number of tokens in the first request. */
  tokens: number;
  carried: Carried;
  /** Number of distinct masked secrets; `null` if masking was off. */
  secretsMasked: number | null;
  /** What was omitted or changed, and why. */
  losses: ConversationLoss[];
  /** Notes on how the agent will treat the session. */
  remarks: string[];
  /** The command to run in the project's directory. */
  command: string[];
  /** For a dry run: the items that the agent would get. */
  conversation: Conversation | null;
}

export interface Carried {
  summaries: number;
  prompts: number;
  answers: number;
  calls: number;
  pictures: number;
}

/** Writes a session for another agent under a new id, so that the agent lists and resumes it. */
export async function handOver(
  access: StoreAccess,
  name: string,
  options: HandoverOptions,
): Promise<HandoverAnswer> {
  const { masking = "masked", writes = "really", nowMs } = options;
  const target = targetOf(access, options);
  const named = await findNamed(await access.reads("outline"), name);
  const read = await readNamed(await access.reads("outline"), named);
  const { session, secrets } = masking === "plain" ? plain(read) : await masked(read);
  const prepared = prepareHandover(session, {
    sourceName: allSources.find(({ id }) => id === session.source)?.name ?? session.source,
    ...optional("tools", options.tools),
    ...optional("fromMessageId", options.fromMessageId),
    ...optional("fitTokens", options.fitTokens),
    ...optional("directory", options.projectPath),
    nowMs,
  });
  const { conversation } = prepared;
  const plan = planOf(access, target, { conversation, nowMs });
  if (writes === "dry-run") checkPlan(plan, conversation, target);
  else {
    refuseAbsent(target, conversation.directory);
    const receipt = writeHandover(plan, conversation, { ...target, nowMs });
    addReceipt(access.setup.environment, receipt);
    access.lookAgain();
  }
  return answerOf({ ...target, plan, prepared, secrets, writes });
}

interface Target {
  source: Source;
  ability: HandoverAbility;
  root: string;
  program: InstalledProgram | undefined;
  /** True if an agent can continue the session, on this machine or elsewhere. */
  isWanted: boolean;
  version: string | undefined;
}

function targetOf({ setup }: StoreAccess, options: HandoverOptions): Target {
  const { to, into, forVersion, absent } = options;
  const { environment } = setup;
  const known = setup.options.sources ?? allSources;
  const source = sourceNamed(known, to);
  const ability = source.abilities.handover;
  if (!ability) throw cannotTake(source, known);
  const root = rootOf(setup, source, into);
  const program = installedProgram(ability.program, environment);
  const version = forVersion ?? program?.version;
  if (version !== undefined && isOlder(version, ability.since)) throw tooOld(source, version);
  const isNamed = into !== undefined || forVersion !== undefined;
  const isElsewhere = absent === "is-elsewhere" && root.isFound;
  const isWanted = program !== undefined || isNamed || isElsewhere;
  return { source, ability, root: root.path, program, isWanted, version };
}

function tooOld({ name, abilities }: Source, version: string): PolluxError {
  const since = abilities.handover?.since ?? "";
  return new PolluxError(
    "version-too-old",
    `${name} ${version} is too old to resume handed-over sessions.`,
    {
      remedy: `Update it to ${since} or later, or name another version with --for.`,
    },
  );
}

/** The given folder, else the agent's root among those opened, else its default one. */
function rootOf({ places, environment }: Setup, source: Source, into: string | undefined): Root {
  const named =
    into === undefined ? [] : placesOf([source], { ...environment, requestedRoots: [into] });
  const looked = places.filter((place) => place.source.id === source.id && place.root.isFound);
  const [place] = [...named, ...looked];
  const usual = source.roots({ ...environment, requestedRoots: [] });
  const root = place?.root ?? usual.find(({ isFound }) => isFound) ?? usual[0];
  if (root) return root;
  throw new PolluxError("no-root", `The folder of ${source.name} was not found.`, {
    remedy: "Name its folder with --into.",
  });
}

function planOf(
  { setup }: StoreAccess,
  { ability, root, version }: Target,
  { conversation, nowMs }: { conversation: Conversation; nowMs: number },
): HandoverPlan {
  return ability.plan(conversation, {
    root,
    newId: randomUUID(),
    uuid: randomUUID,
    ...optional("version", version),
    platform: setup.environment.platform,
    nowMs,
    localOffsetMinutes: (ms) => -new Date(ms).getTimezoneOffset(),
  });
}

async function masked(read: Session): Promise<{ session: Session; secrets: number }> {
  const { maskSecrets } = await import("../queries/redaction/secret-mask.ts");
  return maskSecrets(read);
}

function plain(session: Session): { session: Session; secrets: null } {
  return { session, secrets: null };
}

/** Throws if the agent is not installed or the project folder does not exist. */
function refuseAbsent({ source, ability, isWanted }: Target, directory: string): void {
  if (!isWanted) {
    const { command, packageName } = ability.program;
    throw new PolluxError("not-installed", `${source.name} is not installed here.`, {
      remedy:
        `${command} was not found on your PATH. Install it (npm install -g ${packageName}); ` +
        "if it is installed elsewhere, give its folder with --into or its version with --for.",
    });
  }
  if (isFolder(directory)) return;
  const how = existsSync(directory) ? "is not a folder" : "does not exist";
  throw new PolluxError("no-project-folder", `The project folder ${directory} ${how}.`, {
    remedy: "Name the project folder with --project DIR.",
  });
}

function cannotTake({ name }: Source, known: readonly Source[]): PolluxError {
  const able = known.filter(({ abilities }) => abilities.handover);
  return new PolluxError("cannot-take", `Sessions cannot be handed over to ${name} yet.`, {
    remedy: `Supported agents: ${able.map((source) => source.name).join(", ")}.`,
  });
}

function answerOf(
  made: Target & {
    plan: HandoverPlan;
    prepared: PreparedHandover;
    secrets: number | null;
    writes: "really" | "dry-run";
  },
): HandoverAnswer {
  const { source, program, version, root, plan, prepared } = made;
  const { conversation, tokens, losses } = prepared;
  const { origin, title, directory } = conversation;
  return {
    outcome: made.writes === "really" ? "written" : "would-write",
    from: { source: origin.source, agent: origin.name, sessionId: origin.sessionId },
    to: {
      source: source.id,
      agent: source.name,
      program: program?.path ?? null,
      version: version ?? null,
    },
    sessionId: plan.sessionId,
    title,
    projectPath: directory,
    isProjectThere: isFolder(directory),
    root,
    file: plan.file.path,
    sizeBytes: Buffer.byteLength(plan.file.text),
    alsoWritten: [...(plan.claims ?? []), ...(plan.appends ?? [])].map(({ path }) => path),
    tokens,
    carried: carriedIn(conversation),
    secretsMasked: made.secrets,
    losses,
    remarks: plan.remarks,
    command: plan.command,
    conversation: made.writes === "really" ? null : conversation,
  };
}

function carriedIn({ items }: Conversation): Carried {
  const carried: Carried = { summaries: 0, prompts: 0, answers: 0, calls: 0, pictures: 0 };
  for (const item of items) {
    if (item.kind === "summary") carried.summaries += 1;
    else if (item.kind === "prompt") {
      carried.prompts += 1;
      carried.pictures += item.pictures.length;
    } else {
      carried.answers += 1;
      carried.calls += item.calls.length;
      carried.pictures += item.calls.reduce((sum, { pictures }) => sum + pictures.length, 0);
    }
  }
  return carried;
}

/** Result of undoing a handover. */
export interface UndoAnswer {
  sessionId: string;
  agent: string;
  file: string;
  /** `gone`: it was already deleted. */
  outcome: "removed" | "gone";
}

/** Removes a handed-over session, unless its agent has written to it. */
export function undoNamed(access: StoreAccess, name: string, nowMs: number): UndoAnswer {
  const { environment } = access.setup;
  const receipt = receiptOf(environment, name);
  const source = allSources.find(({ id }) => id === receipt.source);
  const agent = source?.name ?? receipt.source;
  const outcome = undoHandover(receipt, { source, nowMs });
  const { sessionId, path: file } = receipt;
  if (outcome === "changed") {
    const message = `Session ${sessionId} was continued in ${agent}, so it was not removed.`;
    throw new PolluxError("handover-used", message, {
      remedy: `To remove it anyway, delete ${file}.`,
    });
  }
  removeReceipt(environment, sessionId);
  access.lookAgain();
  return { sessionId, agent, file, outcome };
}
