import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { loadSession } from "../ingest/read-session.ts";
import { PolluxError } from "../core/error.ts";
import type { Algorithm } from "../records/cose/algorithms.ts";
import type { KeyForm, KeyPair } from "../records/cose/keys.ts";
import type { Verification } from "../records/findings.ts";
import type { RestoredFile } from "../records/native/restore.ts";
import type { RecordFile } from "../records/record-file.ts";
import type { RecordSchema } from "../records/schema.ts";
import type { Signed, SignRequest } from "../records/sign.ts";
import type { RecordRequest, TranslatedRecord } from "../records/translated-record.ts";
import type { VerifyInput } from "../records/verify.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { sources } from "../sources/index.ts";
import { packageFolder } from "./package-folder.ts";
import { findSession } from "./sessions.ts";
import type { StoreView } from "./store-view.ts";

export type { TranslatedRecord } from "../records/translated-record.ts";

/** Options of a record; all have defaults. */
export type RecordOptions = Partial<Omit<RecordRequest, "recorder">>;

/**
 * A session as a record. Its bytes are generated on demand, entry by entry; only the outline of the
 * session is held in memory.
 */
export async function sessionRecord(
  view: StoreView,
  name: string,
  options: RecordOptions,
): Promise<TranslatedRecord> {
  const { translateSession } = await import("../records/translate.ts");
  const { summary } = await findSession(view, name);
  const found = await loadSession(view, summary, "outline");
  const form = found?.source.abilities.native;
  if (!found || !form) throw noRecord(name, found?.source.name);
  const profile = options.profile ?? "lossless";
  // Only the lossless profile can express that a message is not live.
  const standing = options.standing ?? (profile === "lossless" ? "all" : "live");
  const recorder = { name: manifest.name, version: manifest.version };
  const { session, open } = found;
  return translateSession({ session, open, form }, { ...options, profile, standing, recorder });
}

function noRecord(name: string, source: string | undefined): PolluxError {
  if (source === undefined) {
    return new PolluxError("no-such-session", `No session file matches "${name}".`);
  }
  return new PolluxError("no-record-form", `Records of ${source} sessions are not supported yet.`);
}

/** Restores a session's files from its record, in their original format. */
export async function restoreRecord(record: ByteSource): Promise<RestoredFile[]> {
  const { restoreFiles } = await import("../records/native/restore.ts");
  const file = await readRecord(record);
  const { cliNameOf } = await import("../records/metadata.ts");
  const name = cliNameOf(file);
  const forms = sources.flatMap(({ abilities }) => abilities.native ?? []);
  const form = forms.find(({ cliName }) => cliName === name);
  if (form) return restoreFiles(file, form);
  throw new PolluxError(
    "unknown-source",
    "The record is of an agent that this version of Pollux does not know.",
  );
}

/** Creates a key pair for signing. Writes nothing. */
export async function newKeys(algorithm: Algorithm, form: KeyForm): Promise<KeyPair> {
  const { newKeyPair } = await import("../records/cose/keys.ts");
  return newKeyPair(algorithm, form);
}

/** Signs a record with a private key (PEM or JWK). The record is read piece by piece. */
export async function signRecord(
  record: ByteSource,
  request: Omit<SignRequest, "key"> & { privateKey: string },
): Promise<Signed> {
  const { readPrivateKey } = await import("../records/cose/keys.ts");
  const { signRecord: sign } = await import("../records/sign.ts");
  const key = readPrivateKey(request.privateKey);
  return sign(await readRecord(record), await recordSchema(), { ...request, key });
}

/** Verifies a signature, level by level, with the expected public key. */
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
  return new Schema(readFileSync(join(packageFolder(), "schemas", "record.cddl"), "utf8"));
}

async function readRecord(source: ByteSource): Promise<RecordFile> {
  const { RecordFile: File } = await import("../records/record-file.ts");
  const { JsonFault } = await import("../records/json/parse.ts");
  try {
    return new File(source);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new PolluxError("bad-record", `The file is not a record: ${error.message}.`);
  }
}
