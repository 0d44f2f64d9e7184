import type { SkimSink, WholeFile } from "../../source.ts";
import { asObject } from "../formats/fields.ts";
import { skimHeader } from "./facts.ts";
import { stubOf } from "./stub.ts";

/**
 * A document as the program writes it, two spaces per level:
 *
 *     {
 *       "sessionId": "S",
 *       "messages": [
 *         {
 *           "id": "m1",
 *           "tokens": {
 *
 * A second list of messages would hide the first one from whoever parses the document at once. In a
 * text its quotes would be escaped: these bytes can only be a key.
 */
const LIST = '\n  "messages"';
const ANY_LIST = '"messages"';

export function skimDocument({ path, bytes }: WholeFile, into: SkimSink): boolean {
  const list = bytes.indexOf(LIST);
  if (list === -1 || bytes.indexOf(ANY_LIST, list + LIST.length) !== -1) return false;
  if (bytes.indexOf(ANY_LIST) !== list + LIST.length - ANY_LIST.length) return false;
  const header = skimHeader(parse(bytes));
  const messages = header?.record["messages"];
  if (!header || !Array.isArray(messages)) return false;
  // Where each message stands is not looked for: no answer that is made from this tells it.
  const place = { file: path, line: 1, start: 0, end: bytes.length };
  into.entry({ kind: "header", place, facts: header.facts });
  for (const item of messages as unknown[]) {
    const record = asObject(item);
    const message = record && stubOf(record, place);
    if (!message) return false;
    into.entry({ kind: "message", place, message });
  }
  return true;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("latin1"));
  } catch {
    // Damaged: the reader finds what is left.
    return undefined;
  }
}
