import { hash } from "node:crypto";

/**
 * A number for a message id, small enough for an index of all replies. Ids are random in their
 * first digits; two with the same number are told apart by whoever compares the sessions.
 */
export function numberOfId(id: string): number {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}/.test(id)) {
    return Number.parseInt(id.slice(0, 8), 16) * 0x1_0000 + Number.parseInt(id.slice(9, 13), 16);
  }
  return Number.parseInt(hash("sha1", id, "hex").slice(0, 12), 16);
}
