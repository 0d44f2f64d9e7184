import { hash } from "node:crypto";
import { keyOf } from "../../core/links.ts";

/** 64 bits of the digest of a name, as a signed number that PostgreSQL takes. */
function key64(text: string): string {
  return Buffer.from(hash("sha1", text, "buffer"))
    .readBigInt64BE(0)
    .toString();
}

/** What a session is known by in all tables. */
export function sessionKey({ source, id }: { source: string; id: string }): string {
  return key64(keyOf(source, id));
}

/** What a reply or a tool call is looked up by; what is found is compared as a whole. */
export function recordKey(source: string, kind: "reply" | "call", name: string): string {
  return key64(`${kind} ${keyOf(source, name)}`);
}
