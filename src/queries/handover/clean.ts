import { isObject } from "../../core/json.ts";

/**
 * Letters, digits, `_` and `-`, starting with a letter or `_`, at most 60: accepted by all vendors.
 */
export function plainName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, 60);
}

export function headAndTail(text: string, length: number): string {
  const half = Math.floor((length - 80) / 2);
  const left = text.length - 2 * half;
  const [head, tail] = [text.slice(0, half), text.slice(-half)];
  return clean(`${head}\n[… ${left} characters were left out here …]\n${tail}`);
}

/** Replaces lone surrogates and control characters: they break files, terminals and requests. */
export function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
}

export function cleanArgs(args: unknown): object {
  const cleaned = cleanValue(args, 0);
  return isObject(cleaned) ? cleaned : { value: cleaned ?? null };
}

const DEEPEST = 50;

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  const pairs = Object.entries(value).map(([key, item]) => {
    return [clean(key), cleanValue(item, depth + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
