import type { Standing, StandingReason } from "../../../core/session/message.ts";
import type { AnswerNode, Boundary, Node } from "../content.ts";

interface NodeStanding {
  standing: Standing;
  reason?: StandingReason;
}

const LIVE: NodeStanding = { standing: "live" };
const COMPACTED: NodeStanding = { standing: "rewritten", reason: "compression" };
/** A resume left it out: up to a record whose parent is missing, or of several parallel calls. */
const CUT_OFF: NodeStanding = { standing: "rewritten", reason: "truncation" };
const LEFT: NodeStanding = { standing: "rewound", reason: "branch" };

/** The standing of every record of a conversation. */
export interface Branch {
  of(node: Node): NodeStanding;
  /** An answer is live if any of its records is. */
  ofAnswer(answer: AnswerNode): NodeStanding;
  /** Records whose parent is missing. */
  gaps: Node[];
}

/**
 * Finds the live branch: from the last record to a root, with the other records of every answer on
 * the way, the results of its calls, and what a compaction kept. Following the chain beyond a
 * compaction gives what it replaced; everything else is an abandoned branch.
 */
export function branchOf(nodes: readonly Node[], leaf: string | undefined): Branch {
  if (leaf === undefined && isLine(nodes))
    return { of: () => LIVE, ofAnswer: () => LIVE, gaps: [] };
  const walk = new Walk(nodes);
  walk.from(leaf);
  walk.addAnswers();
  return {
    of: (node) => walk.standingOf(node),
    ofAnswer: (answer) => walk.answers.get(answer.answerId) ?? LEFT,
    gaps: walk.gaps,
  };
}

/** Whether every record follows the one before it and no call is left open: the usual case. */
function isLine(nodes: readonly Node[]): boolean {
  let before: string | undefined;
  const open = new Set<string>();
  for (const node of nodes) {
    if (node.parent !== before || (node.kind === "note" && node.boundary)) return false;
    before = node.uuid;
    for (const id of resultsOf(node)) open.delete(id);
    if (open.size > 0 && isPrompt(node)) return false;
    for (const { id } of callsOf(node)) open.add(id);
  }
  return true;
}

class Walk {
  readonly gaps: Node[] = [];
  readonly answers = new Map<string, NodeStanding>();
  readonly #nodes: readonly Node[];
  readonly #byUuid: Map<string, Node>;
  readonly #order: Map<Node, number>;
  readonly #standings = new Map<Node, NodeStanding>();
  readonly #passed = new Set<Node>();

  constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
    this.#byUuid = new Map(nodes.map((node) => [node.uuid, node]));
    this.#order = new Map(nodes.map((node, at) => [node, at]));
  }

  from(leaf: string | undefined): void {
    let standing = LIVE;
    let current = (leaf === undefined ? undefined : this.#byUuid.get(leaf)) ?? this.#lastSaid();
    while (current && !this.#passed.has(current)) {
      this.#passed.add(current);
      // Messages that a compaction kept stay live.
      if (!this.#standings.has(current)) this.#standings.set(current, standing);
      if (current.kind === "note" && current.boundary) {
        // A later compaction replaced what this one kept.
        if (standing === LIVE) this.#keep(current.boundary);
        standing = COMPACTED;
        current = this.#find(current.boundary.logicalParent) ?? this.#before(current);
      } else if (current.parent === undefined) {
        // Up to 1.0.110 a compaction starts a new root and leaves no other mark.
        const isSummary = current.kind === "user" && current.role === "summary";
        if (!isSummary) return;
        standing = COMPACTED;
        current = this.#before(current);
      } else {
        const parent = this.#find(current.parent);
        if (!parent) {
          this.gaps.push(current);
          if (standing === LIVE) standing = CUT_OFF;
        }
        current = parent ?? this.#before(current);
      }
    }
  }

  #find(uuid: string | undefined): Node | undefined {
    return uuid === undefined ? undefined : this.#byUuid.get(uuid);
  }

  #lastSaid(): Node | undefined {
    return this.#nodes.findLast(isSaid);
  }

  /** A compaction keeps the newest messages unchanged (2.1.325). */
  #keep({ preserved, segment }: Boundary): void {
    for (const uuid of preserved.length > 0 ? preserved : this.#between(segment)) {
      const node = this.#byUuid.get(uuid);
      if (node) this.#standings.set(node, LIVE);
    }
  }

  /** Returns the records of a segment; none when its last does not descend from its first. */
  #between(segment: Boundary["segment"]): ReadonlySet<string> {
    const found = new Set<string>();
    let node = this.#find(segment?.tail);
    while (node && !found.has(node.uuid)) {
      found.add(node.uuid);
      if (node.uuid === segment?.head) return found;
      node = this.#find(node.parent);
    }
    return new Set();
  }

  /** Returns the nearest earlier record that was not visited yet. */
  #before(node: Node): Node | undefined {
    for (let at = (this.#order.get(node) ?? 0) - 1; at >= 0; at -= 1) {
      const earlier = this.#nodes[at];
      if (earlier && isSaid(earlier) && !this.#passed.has(earlier)) return earlier;
    }
    return undefined;
  }

  /**
   * Adds the parallel records of answers. Parallel calls fork the chain: only one of their results
   * is an ancestor of what follows. A call without a result off the chain, or before another
   * prompt, was dropped: a resume leaves it out. Up to 2.1.79 it leaves out all calls without a
   * result on the chain.
   */
  addAnswers(): void {
    for (const node of this.#nodes) {
      const standing = this.#standings.get(node);
      if (node.kind !== "answer" || !standing) continue;
      if (this.answers.get(node.answerId) !== LIVE) this.answers.set(node.answerId, standing);
    }
    const resulted = new Set(this.#nodes.flatMap(resultsOf));
    const { resumedAt, sent } = this.#resumed();
    const calls = new Map<string, NodeStanding>();
    const lastPrompt = this.#nodes.findLastIndex((node) => {
      return isPrompt(node) && this.#standings.has(node);
    });
    for (const [at, node] of this.#nodes.entries()) {
      const standing = node.kind === "answer" ? this.answers.get(node.answerId) : undefined;
      if (node.kind !== "answer" || !standing) continue;
      const called = callsOf(node);
      const isOpen = isWithout(resulted, called);
      if (isOpen && at < lastPrompt) this.#standings.delete(node);
      if (isOpen && !this.#standings.has(node)) continue;
      const isLeftOut = at < resumedAt && isWithout(sent, called);
      const own = isLeftOut && standing === LIVE ? CUT_OFF : standing;
      this.#standings.set(node, own);
      for (const { id } of called) calls.set(id, own);
    }
    for (const node of this.#nodes) {
      if (node.kind !== "user" || this.#standings.has(node)) continue;
      const called = node.results.find(({ callId }) => calls.has(callId));
      const standing = called && calls.get(called.callId);
      if (standing) this.#standings.set(node, standing);
    }
  }

  /** Returns where the session was last resumed by parents, and the calls with results on them. */
  #resumed(): { resumedAt: number; sent: ReadonlySet<string> } {
    const onChain = this.#nodes.filter((node) => this.#standings.has(node));
    const first = onChain.findLast((node) => node.kind === "user" && node.resumed !== undefined);
    const isByParents = first?.kind === "user" && first.resumed === "parents";
    const resumedAt = (isByParents ? this.#order.get(first) : undefined) ?? 0;
    return { resumedAt, sent: new Set(resumedAt > 0 ? onChain.flatMap(resultsOf) : []) };
  }

  /** Other records have the standing of the record they are attached to. */
  standingOf(node: Node): NodeStanding {
    const passed = new Set<Node>();
    let current: Node | undefined = node;
    while (current && !passed.has(current)) {
      passed.add(current);
      const known = this.#standings.get(current);
      if (known) return known;
      if (isSaid(current)) return LEFT;
      current = this.#find(current.parent);
    }
    return this.#standings.size === 0 ? LIVE : LEFT;
  }
}

function callsOf(node: Node): readonly { id: string }[] {
  return node.kind === "answer" ? (node.words?.toolCalls ?? []) : [];
}

/** The API writes results of its own tools into the answer. */
function resultsOf(node: Node): string[] {
  const { results = [] } = node.kind === "user" || node.kind === "answer" ? node : {};
  return results.map(({ callId }) => callId);
}

/** A record of several calls (up to 1.0.9, or fetched without a stream) needs only one result. */
function isWithout(resulted: ReadonlySet<string>, called: readonly { id: string }[]): boolean {
  return called.length > 0 && !called.some(({ id }) => resulted.has(id));
}

function isPrompt(node: Node): boolean {
  return node.kind === "user" && node.role === "prompt";
}

function isSaid({ kind }: Node): boolean {
  return kind === "user" || kind === "answer";
}
