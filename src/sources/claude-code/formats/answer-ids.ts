import type { AnswerNode, Node } from "../content.ts";
import { promptOf } from "./usage.ts";

/**
 * Gives answers an id where the API that served them sends none, or the same one for all: some
 * gateways do. The records of one answer have the same prompt, and each is the parent of the next.
 */
export function nameAnswers(nodes: readonly Node[]): void {
  const shared = sharedIds(nodes);
  const named = new Map<string, AnswerNode>();
  for (const node of nodes) {
    if (node.kind !== "answer" || !node.usage) continue;
    if (node.answerId !== node.uuid && !shared.has(node.answerId)) continue;
    const before = named.get(node.parent ?? "");
    node.answerId = before && isSamePrompt(before, node) ? before.answerId : node.uuid;
    named.set(node.uuid, node);
  }
}

/** Ids with which an answer follows another one that was complete and had another prompt. */
function sharedIds(nodes: readonly Node[]): Set<string> {
  const shared = new Set<string>();
  let last: AnswerNode | undefined;
  for (const node of nodes) {
    if (node.kind !== "answer" || !node.usage) continue;
    const isAgain = last?.answerId === node.answerId && last.hasStop && node.hasStop;
    if (isAgain && last && !isSamePrompt(last, node)) shared.add(node.answerId);
    last = node;
  }
  return shared;
}

/** A copy may have lost its counts. */
function isSamePrompt({ usage: a = {} }: AnswerNode, { usage: b = {} }: AnswerNode): boolean {
  const [first, second] = [promptOf(a), promptOf(b)];
  return first === second || first === 0 || second === 0;
}
