import { optional } from "../../../core/optional.ts";
import type { Message, RecordedMessage } from "../../../core/session/message.ts";
import type { ToolCall } from "../../../core/session/tool-call.ts";
import type { Place } from "../../../core/files/place.ts";
import type { Counts } from "../../../core/usage/counts.ts";
import { isPaid, isSameCounts } from "../../../core/usage/counts.ts";

type Copy = RecordedMessage & Pick<Message, "usagePlace">;

/**
 * Merges another record of the same id. The later copy wins, but never erases what an earlier one
 * had: a re-listed message has no tokens, model, thoughts or tool calls, and a masked one has a
 * preview instead of the output.
 */
export function addCopy(known: Message, copy: Copy, from: "line" | "rewrite"): void {
  const { usage, model, level, signal } = copy;
  if (from === "line" || isBlank(known)) takeContent(known, copy);
  if (isPaid(usage)) takeUsage(known, usage, copy.usagePlace ?? copy.place);
  else if (usage !== undefined) known.usage ??= usage;
  if (model !== undefined) known.model = model;
  if (level !== undefined) known.level = level;
  if (signal !== undefined) known.signal = signal;
  if (known.at === undefined && copy.at !== undefined) known.at = copy.at;
  if (copy.thoughts.length >= known.thoughts.length) known.thoughts = copy.thoughts;
  known.toolCalls = mergeCalls(known, copy);
  // A reply is written again when its tools are done; from then on its calls identify it.
  if (from === "line" && copy.hasRecordedCalls) known.signature = copy.signature;
  known.hasRecordedCalls ||= copy.hasRecordedCalls;
  if (known.results.length === 0) known.results = copy.results;
  if (known.attachments.length === 0) known.attachments = copy.attachments;
  if (copy.place.file !== known.place.file || copy.place.start !== known.place.start) {
    known.places = withPlace(known.places, copy.place);
  }
}

/**
 * Most messages are recorded twice. Copying short lists saves memory: `push` reserves room for
 * sixteen more elements.
 */
function withPlace(places: Place[], place: Place): Place[] {
  if (places.length < 4) return [...places, place];
  places.push(place);
  return places;
}

/** Keeps the place of the first record with these counts, so that they can be looked up. */
function takeUsage(known: Message, usage: Counts, place: Place): void {
  if (known.usage && isSameCounts(known.usage, usage)) return;
  known.usage = usage;
  known.usagePlace = place;
}

function isBlank(message: RecordedMessage): boolean {
  return message.text === "" && message.injections.length === 0 && message.results.length === 0;
}

function takeContent(known: Message, copy: RecordedMessage): void {
  if (isBlank(copy)) return;
  const isTypedKept = known.typed !== undefined && known.text === copy.text;
  known.text = copy.text;
  known.references = copy.references;
  known.injections = copy.injections;
  known.signature = copy.signature;
  known.partSignatures = copy.partSignatures;
  if (isTypedKept) return;
  known.isPrompt = copy.isPrompt;
  if (copy.typed === undefined) delete known.typed;
  else known.typed = copy.typed;
}

function mergeCalls(known: RecordedMessage, copy: RecordedMessage): ToolCall[] {
  // Calls inferred from the content never override recorded ones.
  if (!copy.hasRecordedCalls && known.hasRecordedCalls) return known.toolCalls;
  if (copy.hasRecordedCalls && !known.hasRecordedCalls) return copy.toolCalls;
  if (copy.toolCalls.length === 0 && known.toolCalls.length === 0) return known.toolCalls;
  const merged = new Map(known.toolCalls.map((call) => [call.id, call]));
  for (const call of copy.toolCalls) {
    const earlier = merged.get(call.id);
    merged.set(call.id, earlier ? mergeCall(earlier, call) : call);
  }
  return [...merged.values()];
}

function mergeCall(earlier: ToolCall, later: ToolCall): ToolCall {
  const isEarlierFuller = later.output === undefined || (later.isCut === true && !earlier.isCut);
  const { output, isCut, ...rest } = later;
  const whole = isEarlierFuller ? earlier : { output, isCut };
  return {
    ...earlier,
    ...rest,
    ...optional("output", whole.output ?? earlier.output),
    ...optional("isCut", whole.isCut),
    ...optional("display", later.display ?? earlier.display),
    ...optional("files", fullerFiles(earlier.files, later.files)),
  };
}

/** A copy without the displayed result has no line counts. */
function fullerFiles(earlier: ToolCall["files"], later: ToolCall["files"]): ToolCall["files"] {
  const isCounted = later?.some(({ addedLines }) => addedLines !== undefined) === true;
  return isCounted ? later : (earlier ?? later);
}
