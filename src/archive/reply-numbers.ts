import { hash } from "node:crypto";

/**
 * A number for a message id, small enough for an index of all replies. Ids are random in their
 * first digits; two with the same number are told apart by whoever compares the sessions.
 */
export function numberOfId(id: string): number {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})/.exec(id);
  if (digits) return Number.parseInt(`${digits[1]}${digits[2]}`, 16);
  return Number.parseInt(hash("sha1", id, "hex").slice(0, 12), 16);
}
