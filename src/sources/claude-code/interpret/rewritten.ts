import type { RecordedMessage } from "../../../core/session/message.ts";
import type { AnswerNode, Node, UserNode } from "../content.ts";

type Thoughts = RecordedMessage["thoughts"];

/**
 * Finds records that a resume wrote again. A prompt with a picture is one record, and so is an
 * answer that was fetched without a stream; a resume (2.0.30 to 2.1.27) splits it into one record
 * per block, and writes these and all that follow once more, into the same file, with the same
 * times and under new ids.
 */
export class Rewritten {
  readonly #byTime = new Map<string, Node[]>();
  readonly #originals = new Map<string, string>();
  /** Answer ids by the uuid of their records. */
  readonly #answers = new Map<string, string>();

  /** Returns the record that this one repeats. */
  originalOf(node: Node): Node | undefined {
    if ((node.kind !== "answer" && node.kind !== "user") || node.at === undefined) return undefined;
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

  /** Whether a record begins another chain than the earlier one. */
  #isElsewhere(node: AnswerNode | UserNode, earlier: Node): boolean {
    if (node.kind === "user") return node.parent === earlier.parent;
    return this.#answers.get(node.parent ?? "") !== node.answerId;
  }

  /** Returns the record as a child of what its parent repeats. */
  inPlace(node: Node): Node {
    const parent = node.parent === undefined ? undefined : this.#originals.get(node.parent);
    return parent === undefined ? node : { ...node, parent };
  }
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
  const callIds = ({ results }: UserNode) => results.map(({ callId }) => callId).join(" ");
  const { text = "", attachments = [] } = node.words ?? {};
  const isPicture = text === "" && attachments.length > 0;
  return (
    (isPicture || (node.role === earlier.role && text === (earlier.words?.text ?? ""))) &&
    attachments.length <= (earlier.words?.attachments ?? []).length &&
    callIds(node) === callIds(earlier)
  );
}
