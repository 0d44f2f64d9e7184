import { compareTexts } from "../../../core/lists.ts";
import { groupBy } from "../../../core/group.ts";
import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Project } from "../../../core/session/project.ts";
import type {
  Reply,
  Session,
  SessionContent,
  SessionFileRef,
  SessionOrigin,
} from "../../../core/session/session.ts";
import { earliest, latest } from "../../../core/filter/time-range.ts";
import { toOutline } from "../../decoding/outline.ts";
import { fileRef } from "../../file-ref.ts";
import type { Depth } from "../../source.ts";
import { countsOf } from "../formats/usage.ts";
import type { Entry, Meta } from "../content.ts";
import { titleOf } from "../titles.ts";
import type { Conversation } from "./conversation.ts";
import { buildConversation } from "./conversation.ts";
import type { PaidResponse } from "./ledger.ts";
import { paidResponsesOf } from "./ledger.ts";
import type { RolloutFile, RolloutInGroup } from "./strands.ts";
import { strandsOf } from "./strands.ts";
import { stepsOf, Timeline } from "./timeline.ts";
import type { StepStanding, Step } from "./timeline.ts";

/** Enough for a title. */
const SAID_LENGTH = 200;

/** Makes one session of all rollouts of a thread. */
export function interpret(files: readonly RolloutFile[], depth: Depth): SessionContent[] {
  const readable = files.filter(
    ({ content }) => content.meta !== undefined || content.entries.length > 0,
  );
  const strands = strandsOf(readable);
  const ledgers = new Map(strands.map((strand) => [strand, paidResponsesOf(strand)]));
  const paid = new Map<Entry, PaidResponse>();
  // Usage builds no conversation, and needs no replies by entry.
  for (const ledger of depth === "usage" ? [] : ledgers.values()) {
    for (const reply of ledger) paid.set(reply.entry, reply);
  }
  const threads = [...groupBy(strands, ({ threadId }) => threadId)];
  return threads.map(([id, rollouts]) => {
    const thread = new Thread(rollouts.toSorted((a, b) => compareTexts(a.stem, b.stem)));
    const ledger = rollouts.flatMap((strand) => ledgers.get(strand) ?? []);
    return thread.session(id, { depth, ledger, paid });
  });
}

const LIVE: StepStanding = { standing: "live" };

interface ThreadUsage {
  depth: Depth;
  ledger: readonly PaidResponse[];
  paid: ReadonlyMap<Entry, PaidResponse>;
}

interface Play {
  steps: readonly Step[];
  timeline: Timeline;
}

class Thread {
  readonly #rollouts: readonly RolloutInGroup[];
  readonly #meta: Meta;
  #play: Play | undefined;

  constructor(rollouts: readonly RolloutInGroup[]) {
    this.#rollouts = rollouts;
    this.#meta = rollouts[0]?.rollout.meta ?? {};
  }

  /** Computed on first use: usage of most threads does not need it. */
  get #played(): Play {
    if (this.#play) return this.#play;
    const steps = stepsOf(this.#rollouts);
    this.#play = { steps, timeline: new Timeline(steps) };
    return this.#play;
  }

  /** Whether the thread has no rollback and no compaction. */
  get #isPlain(): boolean {
    const [strand, ...others] = this.#rollouts;
    if (!strand || others.length > 0) return false;
    const { entries } = strand.rollout;
    return !entries.some(({ kind }) => kind === "rollback" || kind === "compacted");
  }

  session(id: string, { depth, ledger, paid }: ThreadUsage): SessionContent {
    const kind = this.#meta.subagent === undefined ? "main" : "subagent";
    const talk: Conversation =
      depth === "usage"
        ? { messages: [], compressions: [] }
        : buildConversation({ ...this.#played, paid, kind });
    const messages = depth === "outline" ? talk.messages.map(outlineOf) : talk.messages;
    return {
      id,
      kind,
      ...optional("parentId", this.#meta.parentId),
      project: projectOf(this.#meta, talk),
      ...optional("summary", depth === "usage" ? undefined : this.#titleOf(id)),
      ...optional("startedAt", this.#startedAt()),
      ...optional("updatedAt", this.#updatedAt()),
      directories: [],
      ...optional("git", this.#meta.git),
      messages,
      replies: this.#repliesOf(ledger),
      ...optional("origins", this.#originsOf(kind)),
      compressions: talk.compressions,
      isImport: false,
      files: this.#refs(kind),
      diagnostics: this.#files.flatMap(({ diagnostics }) => diagnostics),
    };
  }

  /** Falls back to the agent's name: the task of a team's agent may be encrypted. */
  #titleOf(id: string): string | undefined {
    const named = this.#rollouts.findLast(({ rollout }) => rollout.title !== undefined);
    return titleOf(id, this.#files) ?? named?.rollout.title ?? this.#meta.agentPath;
  }

  get #files(): RolloutFile[] {
    return this.#rollouts.flatMap(({ file, copies }) => [file, ...copies]);
  }

  #startedAt(): string | undefined {
    return earliest(this.#rollouts.map(({ rollout }) => rollout.meta?.startedAt ?? rollout.lastAt));
  }

  #updatedAt(): string | undefined {
    return latest(
      this.#rollouts.flatMap(({ rollout }) => [rollout.lastAt, rollout.meta?.startedAt]),
    );
  }

  #repliesOf(ledger: readonly PaidResponse[]): Reply[] {
    if (this.#isPlain) return ledger.map((paid) => replyOf(paid, LIVE));
    const { steps, timeline } = this.#played;
    const numbers = new Map<Entry, number>();
    for (const [number, { entry }] of steps.entries()) numbers.set(entry, number);
    return ledger.map((paid) => replyOf(paid, timeline.at(numbers.get(paid.entry) ?? -1)));
  }

  /** Up to 0.80 going back wrote a file that begins with a copy, without naming its origin. */
  #originsOf(kind: Session["kind"]): SessionOrigin[] | undefined {
    const first = this.#rollouts[0]?.rollout;
    const from = first?.meta?.forkedFrom ?? first?.copiedFrom;
    return kind === "main" && from ? [{ sessionId: from, how: "fork" }] : undefined;
  }

  /**
   * Rollouts of subagents are in the same folders as all others: the header determines the role.
   */
  #refs(role: Session["kind"]): SessionFileRef[] {
    return this.#rollouts.flatMap(({ file, copies, rollout }, at) => {
      const { startedAt } = rollout.meta ?? {};
      const span = { firstAt: startedAt, lastAt: rollout.lastAt ?? startedAt };
      return [
        { ...fileRef(file, at === 0 ? "whole" : "continuation", span), role },
        ...copies.map((copy) => ({ ...fileRef(copy, "copy", span), role })),
      ];
    });
  }
}

/** Avoids spreads for speed: there are many replies. */
function replyOf(
  { entry, id, usage, model, purpose }: PaidResponse,
  { standing, reason }: StepStanding,
): Reply {
  const { at, place } = entry;
  const counts = countsOf(usage);
  const reply: Reply = { id, messageId: id, at, model, counts, standing, reason, place };
  if (purpose !== undefined) reply.purpose = purpose;
  return reply;
}

/** Uses the recorded directory; before 0.32 possibly only the address of the repository. */
function projectOf({ cwd, git }: Meta, talk: Conversation): Project {
  const recorded = cwd ?? talk.cwd;
  const path = recorded ?? talk.workdir;
  const place = path ?? git?.remote?.replace(/\.git$/, "");
  const name = place?.split(/[\\/:]/).findLast((segment) => segment !== "");
  if (path === undefined) return { name: name ?? "unknown", knownBy: "folder-name" };
  const knownBy = recorded === undefined ? "tool-paths" : "recorded";
  return { name: name ?? path, path, knownBy };
}

function outlineOf(message: Message): Message {
  return { ...message, ...toOutline(message, () => SAID_LENGTH) };
}
