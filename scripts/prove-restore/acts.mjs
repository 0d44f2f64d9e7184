// What is compared when a restored session is resumed: the acts of its conversation, in order.
//
//   user text · model text · call NAME ARGUMENTS · result NAME OUTPUT · attachment TYPE
//
// Not compared, because the agent changes or omits it with every resume: its start context,
// thoughts, notices, white space in texts, boundaries between parts of a text, the position of
// attachments in a text, ids of calls, the agent's sentence after a result without an answer, and
// prompts that are its own commands (`/…`, `?…`). Attachments of results are compared in the
// restored file, byte by byte.

/** The acts of a session's live messages. */
export function liveActs(session) {
  const live = session.messages.filter(
    (message) => message.standing === "live" && message.author !== "notice",
  );
  const calls = new Set(live.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)));
  return joined(
    live
      .filter((message, at) => isSent(message) && !isStandIn(message, live[at - 1]))
      .flatMap((message) => {
        const role = message.author === "model" ? "model" : "user";
        // A result stored with its call is added with the call.
        const results = message.results.filter(({ callId }) => !calls.has(callId));
        return [
          ...results.map(({ name, output }) => ["result", name, output.trim()]),
          ...textsOf(message).map((text) => [`${role} text`, text]),
          ...attachmentsOf(message).map(({ mediaType }) => ["attachment", mediaType]),
          ...message.toolCalls.map(({ name, args }) => ["call", name, stable(args)]),
          ...message.toolCalls.map((call) => ["result", call.name, (call.output ?? LOST).trim()]),
        ];
      }),
  );
}

/** Replaces a result that was never recorded: without one, the history would be rejected. */
const LOST = "The result of this call was not recorded.";

function isSent({ isPrompt, injections, author, text }) {
  if (!isPrompt && injections.some(({ kind }) => kind === "session-context")) return false;
  return author === "model" || !/^\s*[/?]/.test(text);
}

function textsOf({ text }) {
  return text.trim() === "" ? [] : [text];
}

function attachmentsOf({ attachments, results }) {
  return results.length > 0 ? [] : attachments;
}

/** Up to 0.27, a result that is not text is `[Function Response: read_file]<image/png>`. */
function isStandIn({ isPrompt, text }, before) {
  if (isPrompt || !/^(\[Function Response: [^\]]+\](<[^>]*>)?\s*)+$/.test(text)) return false;
  return (before?.toolCalls.length ?? 0) > 0;
}

/** The acts of the sent history: `contents` of a request, without the new prompt. */
export function sentActs(contents, prompt) {
  const acts = withoutContext(contents).flatMap(({ role, parts }) => {
    const isAnswer = parts.some(({ functionResponse }) => functionResponse);
    return parts.flatMap((part) => {
      if (part.thought === true) return [];
      if (typeof part.text === "string") {
        const text = part.text.replace(/<session_context>[\s\S]*?<\/session_context>/g, "");
        return text.trim() === "" ? [] : [[`${role} text`, text]];
      }
      if (part.functionCall) {
        return [["call", part.functionCall.name, stable(part.functionCall.args ?? {})]];
      }
      if (part.functionResponse) {
        const { name, response } = part.functionResponse;
        return [["result", name, outputOf(response)]];
      }
      return isAnswer ? [] : attachmentOf(part);
    });
  });
  if (acts.at(-2)?.[1] === INTERRUPTED) acts.splice(-2, 1);
  const last = acts.at(-1);
  if (last?.[0] === "user text" && last[1].endsWith(prompt)) {
    const rest = last[1].slice(0, -prompt.length);
    acts.pop();
    if (rest.trim() !== "") acts.push(["user text", rest]);
  }
  return joined(acts);
}

/** The agent's sentence between an unanswered result and a prompt. */
const INTERRUPTED = "[The previous response was interrupted before it completed.]";

/** Before 0.44, the start context has no markers. */
function withoutContext(contents) {
  const [first, ...rest] = contents;
  const [opening, ...more] = first?.parts ?? [];
  if (!opening?.text?.startsWith("This is the Gemini CLI. We are setting up")) return contents;
  return [{ ...first, parts: more }, ...rest];
}

function attachmentOf(part) {
  const { mimeType } = part.inlineData ?? part.fileData ?? {};
  return mimeType === undefined ? [] : [["attachment", mimeType]];
}

function outputOf(response) {
  const { output, error } = response ?? {};
  const text = error ?? output ?? response;
  return (typeof text === "string" ? text : stable(text)).trim();
}

/** Joins consecutive texts of one speaker; their attachments follow. */
function joined(acts) {
  const result = [];
  for (const [kind, ...words] of acts) {
    const isText = kind.endsWith(" text");
    const last = result.findLast((act) => act[0] !== "attachment" || !isText);
    if (isText && last?.[0] === kind) last[1] = bare(last[1] + words[0]);
    else result.push([kind, ...(isText ? [bare(words[0])] : words)]);
  }
  return result;
}

/** Acts without white space in their texts, where the two may differ. */
export function comparable(acts) {
  return acts.map(([kind, ...words]) =>
    kind.endsWith(" text") ? [kind, words[0].replace(/\s+/g, "")] : [kind, ...words],
  );
}

function bare(text) {
  return text.replace(/\s+/g, " ").trim();
}

function stable(value) {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
