import { hash } from "node:crypto";

/** Hexadecimal digits from a hash of the words; the same on every run. */
export function stableHex(length: number, ...words: string[]): string {
  return hash("sha256", JSON.stringify(words), "hex").slice(0, length);
}

/** A UUID of version 8 (custom), from a hash of the words. */
export function stableUuid(...words: string[]): string {
  const hex = stableHex(32, ...words);
  const variant = ((Number.parseInt(hex[16] ?? "0", 16) & 3) | 8).toString(16);
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)];
  return `${a}-${b}-8${c}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
