import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { Masker } from "../queries/redaction/masker.ts";
import type { Scanner } from "../queries/redaction/secret.ts";
import { TEXT_BORDER } from "../queries/redaction/secret.ts";

/** Text scanned at once: starting the rules takes longer than scanning. */
const PART_BYTES = 64 * 1024 * 1024;
/** Longer lines do not fit into a string; no real file has them. */
const LONGEST_LINE = 256 * 1024 * 1024;

/**
 * Returns the file with every secret masked. Lines without secrets stay identical byte by byte, so
 * that a file that grows by lines also grows on the server. Undefined if a line is too long to
 * scan.
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

/** Yields lines in parts of some megabytes. */
function* partsOf(bytes: ByteSource, partBytes: number): Generator<string[] | "too-long"> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const chunk of bytes.chunks()) {
    waiting.push(Buffer.from(chunk));
    size += chunk.length;
    const end = size < partBytes ? -1 : chunk.lastIndexOf(10);
    if (size > LONGEST_LINE && end === -1) {
      yield "too-long";
      return;
    }
    if (end === -1) continue;
    const rest = waiting.pop()?.subarray(end + 1) ?? Buffer.alloc(0);
    waiting.push(Buffer.from(chunk.subarray(0, end)));
    yield Buffer.concat(waiting).toString("utf8").split("\n");
    waiting = [rest];
    size = rest.length;
  }
  yield Buffer.concat(waiting).toString("utf8").split("\n");
}

/** The strings of a JSON line without escapes, since an escape may hide the start of a key. */
function wordsIn(line: string): string[] {
  if (!line.includes("\\")) return [];
  try {
    return stringsIn(JSON.parse(line));
  } catch {
    // Not JSON; it was scanned as it is.
    return [];
  }
}

/** The value as escaped in the JSON line. */
function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return value.includes("\n") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
