import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "../../src/library/library.ts";
import type { RecordOptions } from "../../src/library/records.ts";
import { RecordFile } from "../../src/records/record-file.ts";
import { RecordSchema } from "../../src/records/schema.ts";
import { memoryBytes } from "../../src/kernel/bytes.ts";

export const schema: RecordSchema = new RecordSchema(readFileSync("schemas/record.cddl", "utf8"));

/** A root with one session file. */
export function rootWith(name: string, text: string | Buffer): string {
  const root = join(mkdtempSync(join(tmpdir(), "pollux-record-")), ".gemini");
  const chats = join(root, "tmp", "ledger", "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(chats, name), text);
  return root;
}

export function document(value: unknown): string {
  return rootWith("session-2026-01-01T00-00-5e551001.json", JSON.stringify(value, null, 2));
}

export function lines(...values: readonly unknown[]): string {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  return rootWith("session-2026-01-01T00-00-5e551001.jsonl", text);
}

export async function recordBytes(
  root: string,
  name = "latest",
  options: RecordOptions = {},
): Promise<Buffer> {
  const record = await open({ roots: [root] }).record(name, options);
  return Buffer.concat([...record.chunks()]);
}

export function asFile(text: string | Buffer): RecordFile {
  return new RecordFile(memoryBytes("record.json", Buffer.from(text)));
}

export interface PlainRecord {
  id: string;
  session: PlainSession;
  [key: string]: unknown;
}

interface PlainSession {
  entries: Record<string, unknown>[];
  [key: string]: unknown;
}

/** The record of a session as a plain value. */
export async function recordOf(
  root: string,
  options: RecordOptions = {},
  name = "latest",
): Promise<PlainRecord> {
  return JSON.parse((await recordBytes(root, name, options)).toString("utf8")) as PlainRecord;
}

/** Test keys; they are derived from public texts and are not secret. */
export const KEYS: Record<"EdDSA" | "ES256", { privateKey: KeyObject; publicKey: KeyObject }> = {
  EdDSA: pairOf("302e020100300506032b657004220420", "pollux test key, ed25519, not secret"),
  ES256: pairOf(
    "3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420",
    "pollux test key, p-256, not secret",
  ),
};

/** A key pair from the PKCS#8 prefix of its kind and a secret derived from a text. */
function pairOf(opening: string, text: string): { privateKey: KeyObject; publicKey: KeyObject } {
  const secret = createHash("sha256").update(text).digest();
  const key = Buffer.concat([Buffer.from(opening, "hex"), secret]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
