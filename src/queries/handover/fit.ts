import type { ConversationItem, ConversationLoss } from "../../core/session/conversation.ts";
import { sizeOfItem, sizeOfItems, tokensIn } from "../../core/session/conversation.ts";

/** Characters that are kept of an old output. */
const SHORT_OUTPUT = 600;
/** Share of the budget that is reserved for the unchanged end. */
const KEPT_END = 0.5;

/**
 * Shortens old tool outputs, oldest first; then drops items from the middle and leaves a note in
 * their place. The first item and the end of the conversation stay.
 */
export function fitItems(
  items: readonly ConversationItem[],
  tokens: number,
  lose: (loss: ConversationLoss) => void,
): ConversationItem[] {
  return leaveOutMiddle(shortenOutputs(items, tokens, lose), tokens, lose);
}

function shortenOutputs(
  items: readonly ConversationItem[],
  tokens: number,
  lose: (loss: ConversationLoss) => void,
): ConversationItem[] {
  let size = sizeOfItems(items);
  return items.map((item) => {
    if (size <= tokens || item.kind !== "answer") return item;
    const calls = item.calls.map((call) => {
      if (size <= tokens || call.output.length <= SHORT_OUTPUT) return call;
      const left = call.output.length - SHORT_OUTPUT;
      const short = call.output.slice(0, SHORT_OUTPUT).toWellFormed();
      const output = `${short}\n[… ${left} more characters were left out to fit]`;
      size -= tokensIn(call.output) - tokensIn(output);
      lose({ what: "old output", count: 1, why: "shortened to fit" });
      return { ...call, output };
    });
    return { ...item, calls };
  });
}

function leaveOutMiddle(
  items: ConversationItem[],
  tokens: number,
  lose: (loss: ConversationLoss) => void,
): ConversationItem[] {
  if (sizeOfItems(items) <= tokens || items.length < 3) return items;
  const end = endOf(items, tokens * KEPT_END);
  const head = headOf(items.slice(0, end), tokens - sizeOfItems(items.slice(end)));
  const left = end - head;
  if (left <= 0) return items;
  lose({ what: "message", count: left, why: "left out from the middle to fit" });
  const note = `[${left} messages of the conversation were left out here to fit.]`;
  const next = items[end];
  const rest = items.slice(end + 1);
  // Put the note where the items were; add a prompt for it if none follows.
  if (next?.kind === "prompt") {
    return [...items.slice(0, head), { ...next, text: `${note}\n\n${next.text}` }, ...rest];
  }
  const at = next?.at ?? items[0]?.at ?? "";
  return [
    ...items.slice(0, head),
    { kind: "prompt", at, text: note, pictures: [] },
    ...items.slice(end),
  ];
}

/** Index where the end that fits into `room` begins; at a prompt if possible. */
function endOf(items: readonly ConversationItem[], room: number): number {
  let size = 0;
  let from = items.length;
  for (let at = items.length - 1; at > 0; at -= 1) {
    const item = items[at];
    size += item ? sizeOfItem(item) : 0;
    if (size > room && from < items.length) break;
    from = at;
  }
  const prompt = items.findIndex(({ kind }, at) => at >= from && kind === "prompt");
  return prompt === -1 ? from : prompt;
}

/** Number of items at the start that fit; at least one. */
function headOf(items: readonly ConversationItem[], room: number): number {
  let size = 0;
  let count = 0;
  for (const item of items) {
    size += sizeOfItem(item);
    if (size > room && count > 0) break;
    count += 1;
  }
  return count;
}
