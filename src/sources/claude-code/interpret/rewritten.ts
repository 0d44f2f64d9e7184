import type { RecordedMessage } from "../../../core/session/message.ts";
import type { AnswerNode, Node, UserNode } from "../formats/record.ts";

type Thoughts = RecordedMessage["thoughts"];

/**
 * Finds records that a resume wrote again. An answer that was fetched without a stream is one
 * record; a resume (seen in 2.0.77) splits it into one record per block, and writes these and all
 * that follow once more, into the same file, with the same times and under new ids.
 */
export class Rewritten {
  readonly #byTime = new Map<string, Node[]>();
  readonly #originals = new Map<string, string>();
  /** Answer ids by the uuid of their records. */
  readonly #answers = new Map<string, string>();

  /** Returns the record that this one repeats. */
  originalOf(node: Node): Node | undefined {
    // Usage is counted by answer, so records without their words need no comparison.
    const isComparable = (node.kind === "answer" || node.kind === "user") && node.words;
    if (!isComparable || node.at === undefined) return undefined;
    const sameTime = this.#byTime.get(node.at);
    const original = sameTime?.find(
      (earlier) => this.#isElsewhere(node, earlier) && isAgain(node, earlier),
    );
    if (original) this.#originals.set(node.uuid, original.uuid);
    else if (sameTime) sameTime.push(node);
    else this.#byTime.set(node.at, [node]);
    if (node.kind === "answer" && !original) this.#answers.set(node.uuid, node.answerId);
    return original;
  }

  /** Whether a record begins another chain, or continues one that repeats the first. */
  #isElsewhere(node: Node, earlier: Node): boolean {
    const parent = node.parent ?? "";
    if (this.#originals.has(parent)) return true;
    if (node.kind === "answer") return this.#answers.get(parent) !== node.answerId;
    return node.parent === earlier.parent;
  }

  /** Returns the record as a child of what its parent repeats. */
  inPlace(node: Node): Node {
    const parent = node.parent === undefined ? undefined : this.#originals.get(node.parent);
    return parent === undefined ? node : { ...node, parent };
  }
}

function isAgain(node: Node, earlier: Node): boolean {
  if (node.kind === "answer") return earlier.kind === "answer" && isPartOf(node, earlier);
  return node.kind === "user" && earlier.kind === "user" && isSameUser(node, earlier);
}

/** Whether an earlier record of the same answer already has all blocks of this one. */
function isPartOf(node: AnswerNode, earlier: AnswerNode): boolean {
  const { text = "", thoughts = [], toolCalls = [] } = node.words ?? {};
  if (text === "" && thoughts.length + toolCalls.length === 0) return false;
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

function isSameUser(node: UserNode, earlier: UserNode): boolean {
  const callIds = ({ results }: UserNode) => results.map(({ callId }) => callId).join(" ");
  const text = node.words?.text ?? "";
  return (
    (text !== "" || node.results.length > 0) &&
    node.role === earlier.role &&
    text === (earlier.words?.text ?? "") &&
    callIds(node) === callIds(earlier)
  );
}
