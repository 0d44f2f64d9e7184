import { addAll } from "../../../core/lists.ts";
import type { Node } from "../content.ts";

/**
 * Puts every record behind its parent and leaves the rest in the order of the file. The program
 * appends from several queues: now and then an answer is written before the prompt that it answers
 * (seen in 2.1.231).
 */
export function parentsFirst(nodes: Node[], uuids: ReadonlySet<string>): Node[] {
  return isInOrder(nodes, uuids) ? nodes : reordered(nodes, uuids);
}

function isInOrder(nodes: readonly Node[], uuids: ReadonlySet<string>): boolean {
  // Usually each record is a child of the one before it.
  if (nodes.every(({ parent }, at) => parent === undefined || parent === nodes[at - 1]?.uuid)) {
    return true;
  }
  const seen = new Set<string>();
  return nodes.every(({ uuid, parent }) => {
    seen.add(uuid);
    return parent === undefined || seen.has(parent) || !uuids.has(parent);
  });
}

function reordered(nodes: readonly Node[], uuids: ReadonlySet<string>): Node[] {
  const placed = new Set<string>();
  const result: Node[] = [];
  const waiting = new Map<string, Node[]>();
  for (const node of nodes) {
    const { parent } = node;
    if (parent !== undefined && !placed.has(parent) && uuids.has(parent)) {
      const others = waiting.get(parent);
      if (others) others.push(node);
      else waiting.set(parent, [node]);
    } else place(node, { placed, result, waiting });
  }
  // A cycle of parents has no first record.
  const circular = nodes.filter(({ uuid }) => !placed.has(uuid));
  return circular.length === 0 ? result : [...result, ...circular];
}

interface Placing {
  placed: Set<string>;
  result: Node[];
  /** Records that stood before their parent, by its uuid. */
  waiting: Map<string, Node[]>;
}

/** Places a record and, right behind it, those that waited for it. */
function place(first: Node, { placed, result, waiting }: Placing): void {
  const stack = [first];
  for (let node = stack.pop(); node; node = stack.pop()) {
    placed.add(node.uuid);
    result.push(node);
    addAll(stack, (waiting.get(node.uuid) ?? []).toReversed());
    waiting.delete(node.uuid);
  }
}
