import type { ByteSource } from "../kernel/bytes.ts";
import { memoryBytes } from "../kernel/bytes.ts";
import { Masker } from "../queries/redaction/masker.ts";
import type { Scanner } from "../queries/redaction/secret.ts";
import { TEXT_BORDER } from "../queries/redaction/secret.ts";

/**
 * The same file with every secret masked. Lines without any stay as they are, byte by byte, so that
 * a file that grows by lines grows here as well.
 */
export async function maskedBytes(bytes: ByteSource, scanner: Scanner): Promise<ByteSource> {
  const whole = Buffer.concat(Array.from(bytes.chunks(), (chunk) => Buffer.from(chunk)));
  const lines = whole.toString("utf8").split("\n");
  const masker = new Masker();
  // All at once: rules take longer to begin than to look.
  masker.learnSecrets(await scanner.scan(lines.join(TEXT_BORDER)));
  const behind = await scanner.scan(lines.flatMap(wordsIn).join(TEXT_BORDER));
  masker.learnSecrets(behind.map((secret) => ({ ...secret, value: escaped(secret.value) })));
  const masked = lines.map((line) => masker.maskSecrets(line));
  const isSame = masked.every((line, at) => line === lines[at]);
  return isSame ? bytes : memoryBytes(bytes.path, Buffer.from(masked.join("\n")));
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
