import type { Message } from "../../../core/session/message.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Reply } from "../../../core/session/session.ts";
import { TimeBound } from "../../../core/filter/time-range.ts";
import type { AnswerNode, Node } from "../content.ts";
import type { InnerRequest, RecordedUsage } from "../formats/usage.ts";
import { asCounts, completed, largest } from "../formats/usage.ts";
import type { Branch } from "./branch.ts";
import type { Conversation } from "./conversations.ts";

/** Usage of an answer, from all of its records. */
export interface Cost {
  usage: RecordedUsage;
  /** A record has a stop reason, so the count is final. */
  isFinal: boolean;
  inner: readonly InnerRequest[];
}

/** Collects usage by answer id, over all conversations: copies may have more than the original. */
export function costsOf(conversations: readonly Conversation[]): Map<string, Cost> {
  const costs = new Map<string, Cost>();
  for (const { nodes, repeated } of conversations) {
    for (const node of nodes) addCost(costs, node);
    for (const again of repeated.values()) for (const node of again) addCost(costs, node);
  }
  // A copy of the answer may lack the notice that it was cut.
  for (const answerId of conversations.flatMap(({ nodes }) => cutAnswers(nodes))) {
    const cost = costs.get(answerId);
    if (cost) cost.isFinal = false;
  }
  return costs;
}

function addCost(costs: Map<string, Cost>, node: Node): void {
  if (node.kind !== "answer" || !node.usage) return;
  const { usage, hasStop, inner = [] } = node;
  const known = costs.get(node.answerId);
  if (!known) costs.set(node.answerId, { usage, isFinal: hasStop, inner });
  else {
    if (known.isFinal === hasStop) known.usage = largest(known.usage, usage);
    else known.usage = hasStop ? completed(known.usage, usage) : completed(usage, known.usage);
    known.isFinal ||= hasStop;
    if (inner.length >= known.inner.length) known.inner = inner;
  }
}

/** Returns answers that the network cut; Claude Code itself wrote their stop reason (2.1.187+). */
function cutAnswers(nodes: readonly Node[]): string[] {
  const notices = nodes.filter(isCutNotice);
  if (notices.length === 0) return [];
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  return notices.flatMap((notice) => {
    let current: Node | undefined = notice;
    for (let steps = 0; current && steps < 20; steps += 1) {
      if (current.kind === "answer" && current.usage) return [current.answerId];
      current = current.parent === undefined ? undefined : byUuid.get(current.parent);
    }
    return [];
  });
}

function isCutNotice(node: Node): boolean {
  return (node.kind === "user" || node.kind === "answer") && node.isCutNotice === true;
}

/** One reply per answer, in order of appearance. */
export function repliesOf(
  { nodes, repeated }: Conversation,
  branch: Branch,
  { costs, purpose }: { costs: ReadonlyMap<string, Cost>; purpose: Reply["purpose"] },
): Reply[] {
  const gathered = new Map<string, Gathered>();
  for (const node of nodes) {
    if (node.kind !== "answer" || !node.usage) continue;
    const known = gathered.get(node.answerId);
    const answer = known ?? {
      first: node,
      place: node.place,
      time: new TimeBound("earliest"),
      ...countsAt(node),
    };
    if (!known) gathered.set(node.answerId, answer);
    answer.time.add(node.at);
    answer.model ??= node.model;
    answer.tier ??= node.tier;
    if (repeated.size > 0) {
      for (const record of repeated.get(node.uuid) ?? []) answer.time.add(record.at);
    }
    const output = node.usage.output ?? 0;
    if (output <= answer.output) continue;
    answer.output = output;
    answer.place = node.place;
  }
  return [...gathered].flatMap(([id, answer]) => {
    const cost = costs.get(id);
    if (!cost) return [];
    const reply = replyOf(id, answer, { cost, branch, purpose });
    return [reply, ...cost.inner.map((request, at) => innerReply(reply, request, at))];
  });
}

/** A request within another one: with its own model, and beside the conversation. */
function innerReply(reply: Reply, { kind, model, usage }: InnerRequest, at: number): Reply {
  const id = `${reply.id}:${kind}-${at}`;
  const purpose = kind === "compaction" ? "compression" : "other";
  const counts = asCounts(usage);
  return { ...reply, id, messageId: id, model: model ?? reply.model, counts, purpose };
}

interface Gathered {
  first: AnswerNode;
  /** Place of the record with the largest output. */
  place: Place;
  output: number;
  time: TimeBound;
  model: string | undefined;
  tier: string | undefined;
}

function countsAt({ usage, model, tier }: AnswerNode): Pick<Gathered, "output" | "model" | "tier"> {
  return { output: usage?.output ?? 0, model, tier };
}

function replyOf(
  id: string,
  { first, place, time, model, tier }: Gathered,
  { cost, branch, purpose }: { cost: Cost; branch: Branch; purpose: Reply["purpose"] },
): Reply {
  const { standing, reason } = branch.ofAnswer(first);
  return {
    id,
    messageId: id,
    at: time.time,
    model,
    counts: asCounts(cost.usage),
    standing,
    reason,
    ...(cost.isFinal ? {} : { isAtLeast: true }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(tier === undefined ? {} : { tier }),
    place,
  };
}

/** Adds usage to the answers. */
export function addUsage(messages: readonly Message[], replies: readonly Reply[]): void {
  const byId = new Map(replies.map((reply) => [reply.messageId, reply]));
  for (const message of messages) {
    const reply = message.author === "model" ? byId.get(message.id) : undefined;
    if (!reply) continue;
    message.usage = reply.counts;
    if (reply.place !== message.place) message.usagePlace = reply.place;
  }
}
