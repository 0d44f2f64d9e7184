import { hash, randomBytes } from "node:crypto";

/** A device's token: 256 bits, of which only the digest is kept. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Without letters that look alike. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 12;

/** A code that a person types once: 59 bits, for a quarter of an hour. */
export function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, letter).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** Every letter as likely as the others: bytes that would favour some are thrown again. */
function letter(): string {
  for (;;) {
    const [byte = 255] = randomBytes(1);
    if (byte < 240) return LETTERS.charAt(byte % LETTERS.length);
  }
}

/** However it was typed. */
export function codeDigest(code: string): Buffer {
  return secretDigest(code.toUpperCase().replace(/[^A-Z0-9]/g, ""));
}

export function secretDigest(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
