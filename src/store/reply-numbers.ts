import { hash } from "node:crypto";
import type { UsageFact } from "../core/usage-fact.ts";

/**
 * A number for a message id, small enough for an index of all replies. Ids are random in their
 * first digits; two with the same number are told apart by whoever compares the sessions.
 */
function numberOfId(id: string): number {
  const first = hexOf(id, 0, 8);
  const second = id[8] === "-" ? hexOf(id, 9, 13) : -1;
  if (first >= 0 && second >= 0) return first * 0x1_0000 + second;
  return Number.parseInt(hash("sha1", id, "hex").slice(0, 12), 16);
}

/** Those of paid replies. */
export function numbersOf(usage: readonly Pick<UsageFact, "messageId">[]): Float64Array {
  const numbers = new Float64Array(usage.length);
  for (const [at, { messageId }] of usage.entries()) numbers[at] = numberOfId(messageId);
  return numbers;
}

/** The number that small hexadecimal digits are, or -1. There are many ids: without a pattern. */
function hexOf(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    const isLetter = code >= 97 && code <= 102;
    if (!isLetter && !(code >= 48 && code <= 57)) return -1;
    value = value * 16 + code - (isLetter ? 87 : 48);
  }
  return value;
}
