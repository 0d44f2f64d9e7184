import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { Masker } from "../queries/redaction/masker.ts";
import type { Scanner } from "../queries/redaction/secret.ts";
import { TEXT_BORDER } from "../queries/redaction/secret.ts";

/** So much text is looked at together: rules take longer to begin than to look. */
const PART_BYTES = 64 * 1024 * 1024;
/** A text cannot be longer; nobody writes such a line by hand. */
const LONGEST_LINE = 256 * 1024 * 1024;

/**
 * The same file with every secret masked. Lines without any stay as they are, byte by byte, so that
 * a file that grows by lines grows here as well. Nothing when a line is too long to be looked at.
 */
export async function maskedBytes(
  bytes: ByteSource,
  scanner: Scanner,
  partBytes: number = PART_BYTES,
): Promise<ByteSource | undefined> {
  const masker = new Masker();
  for (const lines of partsOf(bytes, partBytes)) {
    if (lines === "too-long") return undefined;
    masker.learnSecrets(await scanner.scan(lines.join(TEXT_BORDER)));
    const behind = await scanner.scan(lines.flatMap(wordsIn).join(TEXT_BORDER));
    masker.learnSecrets(behind.map((secret) => ({ ...secret, value: escaped(secret.value) })));
  }
  const parts: Buffer[] = [];
  let isSame = true;
  for (const lines of partsOf(bytes, partBytes)) {
    if (lines === "too-long") return undefined;
    const masked = lines.map((line) => masker.maskSecrets(line));
    isSame &&= masked.every((line, at) => line === lines[at]);
    parts.push(Buffer.from(`${parts.length === 0 ? "" : "\n"}${masked.join("\n")}`));
  }
  return isSame ? bytes : memoryBytes(bytes.path, Buffer.concat(parts));
}

/** Lines, some megabytes of them at a time. */
function* partsOf(bytes: ByteSource, partBytes: number): Generator<string[] | "too-long"> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const chunk of bytes.chunks()) {
    waiting.push(Buffer.from(chunk));
    size += chunk.length;
    const end = size < partBytes ? -1 : chunk.lastIndexOf(10);
    if (size > LONGEST_LINE && end === -1) return yield "too-long";
    if (end === -1) continue;
    const rest = waiting.pop()?.subarray(end + 1) ?? Buffer.alloc(0);
    waiting.push(Buffer.from(chunk.subarray(0, end)));
    yield Buffer.concat(waiting).toString("utf8").split("\n");
    waiting = [rest];
    size = rest.length;
  }
  yield Buffer.concat(waiting).toString("utf8").split("\n");
}

/** Texts as they were before they were written as JSON: a key may stand behind an escape. */
function wordsIn(line: string): string[] {
  if (!line.includes("\\")) return [];
  try {
    return stringsIn(JSON.parse(line));
  } catch {
    // Not a line of JSON: it was looked at as it is.
    return [];
  }
}

/** As it stands in the line. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value.includes("\n") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
