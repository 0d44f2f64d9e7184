import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import type { OutlinedSession } from "../ingest/session-outline.ts";
import { outlineSession } from "../ingest/session-outline.ts";
import type { Shelf } from "../ingest/session-source.ts";
import { PolluxError } from "../core/error.ts";
import type { Algorithm } from "../records/cose/algorithms.ts";
import type { KeyForm, KeyPair } from "../records/cose/keys.ts";
import type { Verification } from "../records/findings.ts";
import type { RestoredFile } from "../records/native/restore.ts";
import type { RecordFile } from "../records/record-file.ts";
import type { RecordSchema } from "../records/schema.ts";
import type { Signed, SignWish } from "../records/sign.ts";
import type { RecordWish, TranslatedRecord } from "../records/translate.ts";
import type { VerifyInput } from "../records/verify.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { sources as allSources } from "../sources/index.ts";
import type { Source } from "../sources/source.ts";

export type { TranslatedRecord } from "../records/translate.ts";

/** How a record is made; all but the session may be left to the defaults. */
export type RecordOptions = Partial<Omit<RecordWish, "recorder">>;

interface Around {
  shelf: Shelf;
  sources: readonly Source[];
}

/** The part of the library that makes verifiable records of sessions. */
export class RecordDesk {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  /**
   * A session as a record. Its bytes are made when they are asked for, entry by entry. Resolving a
   * name reads all sessions; one that is an id is found without.
   */
  async record(
    wish: string,
    options: RecordOptions,
    resolve: () => string,
  ): Promise<TranslatedRecord> {
    const { translateSession } = await import("../records/translate.ts");
    const { sources } = this.#around;
    const found = this.#outline(wish, resolve);
    const form = sources.find((source) => source.id === found?.session.source)?.native;
    if (!found || !form) {
      throw new PolluxError("no-such-session", `There is no session file of "${wish}".`);
    }
    const profile = options.profile ?? "lossless";
    // Only our own form can say that something was taken back.
    const standing = options.standing ?? (profile === "lossless" ? "all" : "live");
    const recorder = { name: manifest.name, version: manifest.version };
    return translateSession({ ...found, form }, { ...options, profile, standing, recorder });
  }

  #outline(wish: string, resolve: () => string): OutlinedSession | undefined {
    const { shelf } = this.#around;
    const { homes } = shelf;
    const named = outlineSession(homes, { id: wish });
    if (named) return named;
    const id = resolve();
    // Some files do not name their session at their beginning.
    const digest = shelf.digests().find(({ summary }) => summary.id === id);
    const paths = new Set(digest?.session.files.map(({ path }) => path));
    return outlineSession(homes, { id, paths });
  }
}

/** The files of the session that a record was made of, in the form in which they were recorded. */
export async function restoreRecord(
  record: ByteSource,
  sources: readonly Source[] = allSources,
): Promise<RestoredFile[]> {
  const { restoreFiles } = await import("../records/native/restore.ts");
  const file = await readRecord(record);
  const { cliNameOf } = await import("../records/metadata.ts");
  const name = cliNameOf(file);
  const form = sources.find(({ native }) => native.cliName === name)?.native;
  if (form) return restoreFiles(file, form);
  throw new PolluxError("unknown-source", "The record is of a program that is not known here.");
}

/** A key pair for signing. Nothing is written. */
export async function newKeys(algorithm: Algorithm, form: KeyForm): Promise<KeyPair> {
  const { newKeyPair } = await import("../records/cose/keys.ts");
  return newKeyPair(algorithm, form);
}

/** Signs a record with a private key (PEM or JWK). The record is read piece by piece. */
export async function signRecord(
  record: ByteSource,
  wish: Omit<SignWish, "key"> & { privateKey: string },
): Promise<Signed> {
  const { readPrivateKey } = await import("../records/cose/keys.ts");
  const { signRecord: sign } = await import("../records/sign.ts");
  const key = readPrivateKey(wish.privateKey);
  return sign(await readRecord(record), await recordSchema(), { ...wish, key });
}

/** Checks a signature, level by level, with the public key that is expected to have made it. */
export async function verifyRecord(
  input: Omit<VerifyInput, "key"> & { publicKey: string },
): Promise<Verification> {
  const { readPublicKey } = await import("../records/cose/keys.ts");
  const { verifyRecord: verify } = await import("../records/verify.ts");
  const { publicKey, ...given } = input;
  return verify({ ...given, key: readPublicKey(publicKey) }, await recordSchema());
}

/** The schema of records, from the file that comes with the package. */
export async function recordSchema(): Promise<RecordSchema> {
  const { RecordSchema: Schema } = await import("../records/schema.ts");
  return new Schema(readFileSync(schemaFile(), "utf8"));
}

async function readRecord(source: ByteSource): Promise<RecordFile> {
  const { RecordFile: File } = await import("../records/record-file.ts");
  const { JsonFault } = await import("../records/json/parse.ts");
  try {
    return new File(source);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new PolluxError("bad-record", `It is no record: ${error.message}.`);
  }
}

/** Beside the sources as well as beside any chunk of the build. */
function schemaFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, "schemas", "record.cddl");
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) throw new PolluxError("broken-install", "The package is incomplete.");
    folder = parent;
  }
}
