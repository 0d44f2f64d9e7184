import type { ByteSource } from "../../../kernel/bytes.ts";
import { textOf } from "../../decoding/text-of.ts";
import { appendJsonl } from "./append-jsonl.ts";
import type { Format, Head } from "./format.ts";
import { stripBom } from "../../decoding/parse.ts";
import { savedChat } from "./saved-chat.ts";
import { singleJson } from "./single-json.ts";

/** All formats of session files and saved chats; the first one that claims a file reads it. */
const formats: readonly Format[] = [savedChat, appendJsonl, singleJson];

const HEAD_BYTES = 64 * 1024;

export function lookAt(source: ByteSource): Head {
  const bytes = source.range(0, HEAD_BYTES);
  const text = stripBom(textOf(bytes));
  const opening = /[^\s\0]/.exec(text)?.[0] ?? "";
  const lines = text.trimStart().split("\n", 2);
  const isWholeLine = lines.length > 1 || bytes.length < HEAD_BYTES;
  return { opening, text, ...(isWholeLine ? { firstLine: lines[0] ?? "" } : {}) };
}

export function formatOf(head: Head): Format | undefined {
  return formats.find((format) => format.claims(head));
}
