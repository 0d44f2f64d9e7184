import { groupBy } from "../../../core/group.ts";
import { instantOf } from "../../../core/instant.ts";
import { optional } from "../../../core/optional.ts";
import type { SessionContent, UnrecordedUsage } from "../../../core/session/session.ts";
import type { CostState, Node } from "../content.ts";
import type { RecordedUsage } from "../formats/usage.ts";
import { asCounts, excess, plus } from "../formats/usage.ts";
import type { Conversation } from "./conversations.ts";
import type { Copies } from "./copies.ts";
import { beginsCompacted } from "./copies.ts";
import type { Cost } from "./replies.ts";

export interface UnrecordedContext {
  conversations: readonly Conversation[];
  costs: ReadonlyMap<string, Cost>;
  copies: Copies;
}

/**
 * Returns how much Claude Code's own totals (2.1.280+) exceed the recorded replies: compactions,
 * titles and other requests outside the conversation. The totals cover the runs of a session until
 * they were written, with its agents. `--fork-session` continues the totals of the parent,
 * `/branch` starts again; without the parent's totals nothing is known about a fork.
 */
export function unrecordedOf(
  conversation: Conversation,
  { conversations, costs, copies }: UnrecordedContext,
): UnrecordedUsage[] {
  const last = conversation.costStates.at(-1);
  if (!last || conversation.kind !== "main") return [];
  const before = inheritedTotals(conversation, conversations, copies);
  if (before === "unknown") return [];
  const recorded = new Map<string, RecordedUsage>(before);
  for (const [model, usage] of ownUsage(conversation, conversations, { costs, copies })) {
    recorded.set(model, plus(recorded.get(model) ?? {}, usage));
  }
  return byPlainName(last.models).flatMap(({ model, usage, costUsd }) => {
    const known = recorded.get(plainName(model));
    const over = excess(usage, known ?? {});
    if (!over || !hasInput(over)) return [];
    // The cost of the recorded part is not recorded separately.
    const cost = known || costUsd === undefined ? null : costUsd;
    return [{ model, from: "cost-state", requests: null, counts: asCounts(over), costUsd: cost }];
  });
}

/**
 * Every request has an input. An excess of the output alone is Claude Code's estimate of what
 * interrupted answers had beyond their recorded counts (2.1.326+).
 */
function hasInput({ input = 0, cached = 0, written = 0 }: RecordedUsage): boolean {
  return input + cached + written > 0;
}

type ModelTotals = CostState["models"][number];

/** Sums totals by plain name: a model may have several names, and its replies use one of them. */
function byPlainName(models: readonly ModelTotals[]): ModelTotals[] {
  return [...groupBy(models, ({ model }) => plainName(model)).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (!first) return [];
    return others.reduce((sum, { usage, costUsd }) => {
      const cost = sum.costUsd === undefined ? undefined : costUsd && sum.costUsd + costUsd;
      return { model: sum.model, usage: plus(sum.usage, usage), ...optional("costUsd", cost) };
    }, first);
  });
}

/** Removes window size and date: `claude-opus-5-5[1m]`, `claude-haiku-4-5-20251001`. */
function plainName(model: string): string {
  return model.replace(/\[[^\]]*\]$/, "").replace(/-\d{8}$/, "");
}

/**
 * Sums the replies of a session and its agents, each once, without copied ones and without those
 * that are newer than its totals: a running or killed process has not written its totals, and up to
 * 2.1.270 print mode never does.
 */
function ownUsage(
  conversation: Conversation,
  conversations: readonly Conversation[],
  { costs, copies }: Pick<UnrecordedContext, "costs" | "copies">,
): Map<string, RecordedUsage> {
  const sums = new Map<string, RecordedUsage>();
  const counted = new Set<string>();
  const agents = conversations.filter(({ kind, parentId }) => {
    return kind === "subagent" && parentId === conversation.id;
  });
  const endAt = nextTurnAt(conversation);
  for (const node of [conversation, ...agents].flatMap(({ nodes }): Node[] => nodes)) {
    if (node.kind !== "answer" || counted.has(node.answerId) || copies.inherited.has(node))
      continue;
    if (endAt !== undefined && node.at !== undefined && instantOf(node.at) >= endAt) continue;
    const cost = costs.get(node.answerId);
    if (!cost) continue;
    counted.add(node.answerId);
    const own = { model: node.requestedModel ?? node.model, usage: cost.usage };
    for (const { model: name = own.model ?? "", usage } of [own, ...cost.inner]) {
      const model = plainName(name);
      sums.set(model, plus(sums.get(model) ?? {}, usage));
    }
  }
  return sums;
}

/** Returns when the conversation went on after its last totals were written. */
function nextTurnAt({ files }: Conversation): number | undefined {
  const content = files.findLast(({ file }) => file.content.costStates.length > 0)?.file.content;
  const after = content?.costStates.at(-1)?.after;
  const next = content?.nodes.slice(after).find(({ kind, at }) => kind === "user" && at);
  return next?.at === undefined ? undefined : instantOf(next.at);
}

/** Returns the totals that a fork started with. */
function inheritedTotals(
  conversation: Conversation,
  conversations: readonly Conversation[],
  { inherited, origins }: Copies,
): Map<string, RecordedUsage> | "unknown" {
  if (origins.length === 0) return beginsCompacted(conversation) ? "unknown" : new Map();
  // A fork of a branch also copies what the branch has beyond its original.
  const isBranch = [...inherited].every(({ forkedFrom }) => forkedFrom !== undefined);
  if (isBranch && inherited.size > 0) return new Map();
  const copied = [...inherited].map(({ uuid }) => uuid);
  const uuids = new Set(copied);
  const sharedWith = (other: Conversation) => copied.filter((uuid) => other.uuids.has(uuid)).length;
  // A fork of a fork has records of both; its parent has most of them.
  const [parent] = conversations
    .filter(({ kind, id }) => kind === "main" && origins.some(({ sessionId }) => sessionId === id))
    .toSorted((a, b) => sharedWith(b) - sharedWith(a));
  const state = parent && totalsAt(parent, { uuids, begunAt: ownStart(conversation, inherited) });
  if (!state) return "unknown";
  return new Map(byPlainName(state.models).map(({ model, usage }) => [plainName(model), usage]));
}

function ownStart({ nodes }: Conversation, inherited: ReadonlySet<Node>): number | undefined {
  const own = nodes.find((node) => node.at !== undefined && !inherited.has(node));
  return own?.at === undefined ? undefined : instantOf(own.at);
}

/**
 * Returns the totals that the parent had when the fork began: those before its next answer. The
 * last shared record may be much older: a fork may begin at any earlier message.
 */
function totalsAt(
  { costStates, files }: Conversation,
  { uuids, begunAt }: { uuids: ReadonlySet<string>; begunAt: number | undefined },
): CostState | undefined {
  const nodes = files.at(-1)?.file.content.nodes ?? [];
  const lastShared = nodes.findLastIndex(({ uuid }) => uuids.has(uuid));
  const next = nodes.findIndex((node, at) => {
    const isLater = begunAt === undefined || node.at === undefined || instantOf(node.at) >= begunAt;
    return at > lastShared && node.kind === "answer" && isLater;
  });
  return costStates.findLast(({ after }) => next === -1 || after <= next);
}

export function addUnrecorded(session: SessionContent, unrecorded: UnrecordedUsage[]): void {
  if (unrecorded.length > 0) session.unrecorded = unrecorded;
}
