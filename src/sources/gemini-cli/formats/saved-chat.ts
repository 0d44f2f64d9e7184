import { asObject } from "../../decoding/fields.ts";
import { readJsonDocument } from "../../decoding/json-document.ts";
import type { Format } from "./format.ts";
import { readMessage } from "./message.ts";

/**
 * `/chat save`, which some documentation calls a session: the history as the model sees it, without
 * ids, times or token counts. A plain list up to 0.15, an object since 0.16.
 *
 *     [ {"role": "user", "parts": [{"text": "…"}]} ]
 *     {"history": [ {"role": "model", "parts": [{"functionCall": {…}}]} ], "authType": "…"}
 */
export const savedChat: Format = {
  name: "saved-chat",
  claims: ({ text }) => isChatOpening(text) || /^\s*\[\s*\]/.test(text),
  read(source, sink) {
    readJsonDocument(source, ["history"], {
      elementName: "A turn",
      report: sink.report,
      element(value, place) {
        const record = asObject(value);
        if (!record) return sink.entry({ kind: "unknown", place, keys: [] });
        sink.entry({ kind: "message", place, message: readMessage(record, place, sink.report) });
      },
    });
  },
};

/**
 * Whether a text begins like a list of turns, or an object that holds one; the text before its
 * first list decides.
 */
export function isChatOpening(text: string): boolean {
  return /^\s*(?:\[\s*\{\s*"(?:role|parts)"\s*:|\{[^[]*"history"\s*:\s*\[)/.test(text);
}
