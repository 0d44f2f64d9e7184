import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { PolluxError } from "../core/error.ts";

const CIPHER = "aes-256-gcm";
const [NONCE_BYTES, TAG_BYTES] = [12, 16];
export const KEY_BYTES = 32;

/**
 * Encrypts bytes with a key (AES-256-GCM). Layout: nonce, ciphertext, tag. The name is additional
 * authenticated data: bytes sealed under one name cannot be opened under another.
 */
export class Seal {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  close(bytes: Uint8Array, name: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(name);
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  open(sealed: Uint8Array, name: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(Math.max(NONCE_BYTES, bytes.length - TAG_BYTES));
    try {
      const options = { authTagLength: TAG_BYTES };
      const cipher = createDecipheriv(CIPHER, this.#key, nonce, options).setAAD(name);
      cipher.setAuthTag(tag);
      return Buffer.concat([
        cipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)),
        cipher.final(),
      ]);
    } catch (error) {
      throw new PolluxError("archive-damaged", "Stored data cannot be decrypted with this key.", {
        remedy: "The data is damaged, or belongs to a person whose key was destroyed.",
        cause: error,
      });
    }
  }

  /** Identifies the key without revealing it. */
  get fingerprint(): string {
    return createHmac("sha256", this.#key).update("pollux").digest("hex").slice(0, 16);
  }
}
