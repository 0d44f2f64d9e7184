import { hash } from "node:crypto";
import { keyOf } from "../../../core/session/links.ts";

/** 64 bits of the digest of a name, as a signed integer for PostgreSQL. */
function key64(text: string): string {
  return Buffer.from(hash("sha1", text, "buffer"))
    .readBigInt64BE(0)
    .toString();
}

/** Key of a session in all tables. */
export function sessionKey({ source, id }: { source: string; id: string }): string {
  return key64(keyOf(source, id));
}

/** Lookup key of a reply or tool call; the full name is compared as well. */
export function recordKey(source: string, kind: "reply" | "call", name: string): string {
  return key64(`${kind} ${keyOf(source, name)}`);
}
