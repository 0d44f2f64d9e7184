import type { RecordedMessage } from "../../../core/session/message.ts";
import type { AnswerNode, Node, UserNode } from "../content.ts";

type Thoughts = RecordedMessage["thoughts"];

/** A resume repeats records in order, but leaves some out. */
const MOST_LEFT_OUT = 50;

/**
 * Finds records that a resume wrote again. A prompt with a picture is one record, and so is an
 * answer that was fetched without a stream; a resume splits it into one record per block, and
 * writes these and all that follow once more, into the same file, under new ids: with the same
 * times (2.0.30 to 2.1.27), or all with the time of the resume (2.0.14).
 */
export class Rewritten {
  readonly #byTime = new Map<string, Node[]>();
  readonly #inOrder: (AnswerNode | UserNode)[] = [];
  /** The resume whose records are being found, and where the next one is looked for. */
  #resume: { at: string; next: number } | undefined;
  readonly #originals = new Map<string, string>();
  /** Answer ids by the uuid of their records. */
  readonly #answers = new Map<string, string>();

  /** Returns the record that this one repeats. `resumedAt`: the times of resumes that did so. */
  originalOf(node: Node, resumedAt: ReadonlySet<string>): Node | undefined {
    if ((node.kind !== "answer" && node.kind !== "user") || node.at === undefined) return undefined;
    if (resumedAt.has(node.at)) {
      const resumed = this.#inTurn(node, node.at);
      if (resumed) this.#originals.set(node.uuid, resumed.uuid);
      return resumed;
    }
    this.#inOrder.push(node);
    const isChained = this.#originals.has(node.parent ?? "");
    // Usage is counted by answer, so records without their words need no comparison.
    if (!isChained && !node.words) return undefined;
    const sameTime = this.#byTime.get(node.at);
    const original = sameTime?.find((earlier) => {
      const isCopy = isChained || (hasContent(node) && this.#isElsewhere(node, earlier));
      return isCopy && isAgain(node, earlier);
    });
    if (original) this.#originals.set(node.uuid, original.uuid);
    else if (sameTime) sameTime.push(node);
    else this.#byTime.set(node.at, [node]);
    if (node.kind === "answer" && !original) this.#answers.set(node.uuid, node.answerId);
    return original;
  }

  /** Returns the next earlier record that has all blocks of this one. */
  #inTurn(node: AnswerNode | UserNode, at: string): Node | undefined {
    // Usage is counted by answer, so records without their words need no comparison.
    if (!node.words || !hasContent(node)) return undefined;
    if (this.#resume?.at !== at) this.#resume = { at, next: 0 };
    const { next } = this.#resume;
    const ahead = this.#inOrder.slice(next, next + MOST_LEFT_OUT);
    const found = ahead.findIndex((earlier) => isBlockOf(node, earlier));
    if (found !== -1) this.#resume.next = next + found;
    return ahead[found];
  }

  /** Whether a record begins another chain than the earlier one. */
  #isElsewhere(node: AnswerNode | UserNode, earlier: Node): boolean {
    if (node.kind === "user") return node.parent === earlier.parent;
    return this.#answers.get(node.parent ?? "") !== node.answerId;
  }

  /** Whether this is the uuid of a record that repeats another one. */
  has(uuid: string): boolean {
    return this.#originals.has(uuid);
  }

  /** Returns the record as a child of what its parent repeats. */
  inPlace(node: Node): Node {
    const parent = node.parent === undefined ? undefined : this.#originals.get(node.parent);
    return parent === undefined ? node : { ...node, parent };
  }
}

/**
 * Returns the times of resumes that wrote records again: an answer comes a second time, later and
 * without its request.
 */
export function resumeTimes(nodes: readonly Node[]): Set<string> {
  const first = new Map<string, string | undefined>();
  const times = new Set<string>();
  for (const node of nodes) {
    if (node.kind !== "answer" || node.synthetic) continue;
    if (node.hasRequest) first.set(node.answerId, node.at);
    else if (
      first.has(node.answerId) &&
      node.at !== undefined &&
      node.at !== first.get(node.answerId)
    )
      times.add(node.at);
  }
  return times;
}

/** Whether an earlier record has all blocks of this one; a prompt may be split between texts. */
function isBlockOf(node: AnswerNode | UserNode, earlier: AnswerNode | UserNode): boolean {
  if (node.kind === "answer") return earlier.kind === "answer" && isPartOf(node, earlier);
  const { text = "", attachments = [] } = node.words ?? {};
  return (
    earlier.kind === "user" &&
    (earlier.words?.text ?? "").includes(text) &&
    attachments.length <= (earlier.words?.attachments ?? []).length &&
    callIds(node) === callIds(earlier)
  );
}

function callIds({ results }: UserNode): string {
  return results.map(({ callId }) => callId).join(" ");
}

function hasContent(node: AnswerNode | UserNode): boolean {
  const { text = "", thoughts = [], toolCalls = [], attachments = [] } = node.words ?? {};
  const results = node.kind === "user" ? node.results.length : 0;
  return text !== "" || thoughts.length + toolCalls.length + attachments.length + results > 0;
}

function isAgain(node: AnswerNode | UserNode, earlier: Node): boolean {
  if (node.kind === "answer") return earlier.kind === "answer" && isPartOf(node, earlier);
  return earlier.kind === "user" && isSameUser(node, earlier);
}

/** Whether an earlier record of the same answer already has all blocks of this one. */
function isPartOf(node: AnswerNode, earlier: AnswerNode): boolean {
  const { text = "", thoughts = [], toolCalls = [] } = node.words ?? {};
  const whole = earlier.words;
  return (
    node.answerId === earlier.answerId &&
    (whole?.text ?? "").includes(text) &&
    thoughts.every((thought) => hasThought(whole?.thoughts, thought)) &&
    toolCalls.every(({ id }) => whole?.toolCalls?.some((call) => call.id === id))
  );
}

function hasThought(thoughts: Thoughts | undefined, wanted: Thoughts[number]): boolean {
  return thoughts?.some((thought) => JSON.stringify(thought) === JSON.stringify(wanted)) ?? false;
}

/** Whether an earlier record already has the text, the pictures and the results of this one. */
function isSameUser(node: UserNode, earlier: UserNode): boolean {
  const { text = "", attachments = [] } = node.words ?? {};
  const isPicture = text === "" && attachments.length > 0;
  return (
    (isPicture || (node.role === earlier.role && text === (earlier.words?.text ?? ""))) &&
    attachments.length <= (earlier.words?.attachments ?? []).length &&
    callIds(node) === callIds(earlier)
  );
}
