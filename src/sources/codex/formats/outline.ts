import { optional } from "../../../core/optional.ts";
import { cut, outlineCall } from "../../decoding/outline.ts";
import type { EditorPrompt, RecordMeaning, InnerCall, HistoryMessage, Text } from "../content.ts";

/** Enough for a title, and to recognise injected text. */
const SAID_LENGTH = 200;
/** For answers it only matters that there is a text. */
const ANSWER_LENGTH = 8;
const OUTPUT_LENGTH = 160;
/** Reports count single commands; longer lines are scripts that contain data. */
const SHELL_LENGTH = 20_000;

/** Removes long texts from a record, so that memory does not grow with them. */
export function outlineOf(act: RecordMeaning): RecordMeaning {
  switch (act.kind) {
    case "said":
      return lightSaid(act);
    case "reasoning":
      return { ...act, texts: act.texts.map((text) => lightText(text, 0)) };
    case "thought":
      return { ...act, texts: act.texts.map((text) => lightText(text, 0)) };
    case "call":
      return { kind: "call", call: outlineCall(act.call) };
    case "output":
      return { ...act, text: cut(act.text, OUTPUT_LENGTH), attachments: act.attachments.map(bare) };
    case "prompt":
      return {
        kind: "prompt",
        text: lightText(act.text, SAID_LENGTH),
        ...optional("editor", act.editor && lightEditor(act.editor)),
        attachments: act.attachments.map(bare),
      };
    case "answer":
      return { kind: "answer", text: lightText(act.text, ANSWER_LENGTH) };
    case "compacted": {
      const summary = lightText(act.summary, SAID_LENGTH);
      return { ...act, summary, ...(act.history ? { history: act.history.map(lightSaid) } : {}) };
    }
    case "inner":
      return { kind: "inner", inner: lightInner(act.inner) };
    case "error":
      return { kind: "error", text: lightText(act.text, SAID_LENGTH) };
    case "turn-end":
      return act.error === undefined ? act : { ...act, error: cut(act.error, SAID_LENGTH) };
    case "agent":
    case "context":
    case "counter":
    case "meta":
    case "record":
    case "review":
    case "rollback":
    case "state":
    case "turn-start":
    case "unknown":
      return act;
    default:
      return act satisfies never;
  }
}

function lightInner({ shellLine, ...inner }: InnerCall): InnerCall {
  return shellLine === undefined ? inner : { ...inner, shellLine: cut(shellLine, SHELL_LENGTH) };
}

function lightSaid(said: HistoryMessage): HistoryMessage {
  const length = said.role === "assistant" ? ANSWER_LENGTH : SAID_LENGTH;
  return {
    ...said,
    parts: said.parts.map((part) => ({ ...part, text: cut(part.text, length) })),
    attachments: said.attachments.map(bare),
  };
}

function lightText({ text, print }: Text, length: number): Text {
  return { text: cut(text, length), print };
}

function bare<T extends { data?: string }>({ data: _bytes, ...attachment }: T): Omit<T, "data"> {
  return attachment;
}

function lightEditor({ context, typed }: EditorPrompt): EditorPrompt {
  return { context: cut(context, 0), typed: cut(typed, SAID_LENGTH) };
}
