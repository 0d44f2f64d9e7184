import { hash, randomBytes } from "node:crypto";

/** Creates a device token: 256 bits, stored only as a digest. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** No characters that look alike. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 12;

/** Creates a one-time code for a person to type: 59 bits, valid for a quarter of an hour. */
export function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, letter).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** Picks characters with equal probability: bytes that would cause a bias are discarded. */
function letter(): string {
  for (;;) {
    const [byte = 255] = randomBytes(1);
    if (byte < 240) return LETTERS.charAt(byte % LETTERS.length);
  }
}

/** Ignores case and separators. */
export function codeDigest(code: string): Buffer {
  return secretDigest(code.toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

export function secretDigest(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
