import { createHash } from "node:crypto";
import type { Standing } from "../core/session/message.ts";
import { fromPlain } from "./json/plain.ts";
import type { Json, JsonObject } from "./json/value.ts";
import { newObject } from "./json/value.ts";
import { isInstant, isText } from "./mapping/fits.ts";
import type { NativeFile } from "./native/catalogue.ts";
import type { Profile } from "./profile.ts";
import type { SessionOutline } from "./session-outline.ts";

const RECORD_VERSION = "3.0.0-draft";
/** The recorder named in records of the profile `reference`. */
const REFERENCE_RECORDER = { name: "vac-validate", version: RECORD_VERSION };
/** Format version of `x-native`; see `native/acts.ts`. */
const NATIVE_FORM = 1;

/** What a record states besides its session. */
export interface Wrapping {
  profile: Profile;
  /** The program that creates the record. */
  recorder: { name: string; version: string };
  /** Time of creation; defaults to the start of the session. */
  createdAt?: string;
  cliVersion?: string;
  /** The working directory, if it is not recorded or should be another one. */
  workingDir?: string;
}

export interface Wrapped {
  session: SessionOutline;
  files: readonly NativeFile[];
  facts: RecordFacts;
  cliName: string;
  entries: number;
  leftOut: Partial<Record<Standing, number>>;
  /** Whether the record must allow restoring the session. */
  isInvertible: boolean;
}

/** Metadata of the session from its files. */
export interface RecordFacts {
  id?: Json | undefined;
  start?: Json | undefined;
  end?: Json | undefined;
  /** In order of use. */
  models: readonly string[];
  vendor: string;
  cliVersion?: string | undefined;
  workingDir?: string | undefined;
  vcs?: JsonObject | undefined;
}

/** A record without the elements of its long lists. */
export function wrapperOf(details: Wrapped, request: Wrapping): JsonObject & { id: string } {
  const { facts, files } = details;
  const isReference = request.profile === "reference";
  const began = instantOf(facts.start);
  const sessionId = isReference && isText(facts.id) ? facts.id : details.session.id;
  const recorder = { ...request.recorder, "x-profile": request.profile };
  const wrapper = newObject({
    version: RECORD_VERSION,
    created: request.createdAt ?? began,
    "recording-agent": fromPlain(isReference ? REFERENCE_RECORDER : recorder),
    session: newObject({
      format: !isReference && details.session.kind === "subagent" ? "autonomous" : "interactive",
      "session-id": sessionId,
      "session-start": began,
      "session-end": request.profile === "lossless" ? instantOf(facts.end) : undefined,
      "agent-meta": agentOf(details, request),
      environment: environmentOf(facts, request),
      entries: [],
      "x-left-out": leftOutOf(details),
      "x-native": details.isInvertible ? nativeOf(files) : undefined,
    }),
  });
  return Object.assign(wrapper, { id: isReference ? sessionId : recordIdOf(details, request) });
}

function instantOf(value: Json | undefined): string | number | undefined {
  return isInstant(value) ? value : undefined;
}

function agentOf({ facts, cliName }: Wrapped, request: Wrapping): JsonObject {
  const models = [...new Set(facts.models)].toSorted();
  return newObject({
    "model-id": facts.models.at(-1) ?? "unknown",
    "model-provider": facts.vendor,
    models: models.length > 1 ? models : undefined,
    "cli-name": cliName,
    "cli-version": request.cliVersion ?? facts.cliVersion,
  });
}

function environmentOf(
  { workingDir, vcs }: RecordFacts,
  request: Wrapping,
): JsonObject | undefined {
  const path = request.workingDir ?? workingDir;
  return path === undefined ? undefined : newObject({ "working-dir": path, vcs });
}

function leftOutOf({ leftOut }: Wrapped): JsonObject | undefined {
  return Object.keys(leftOut).length === 0 ? undefined : newObject(leftOut);
}

function nativeOf(files: readonly NativeFile[]): JsonObject {
  return newObject({
    form: NATIVE_FORM,
    files: files.map((file) => fileOf(file, files)),
    acts: [],
  });
}

function fileOf(file: NativeFile, files: readonly NativeFile[]): JsonObject {
  const same = files.findIndex(({ sha256 }) => sha256 === file.sha256);
  return newObject({
    name: file.name,
    format: file.format,
    size: file.sizeBytes,
    sha256: file.sha256,
    "kept-as": file.keptAs,
    "same-as": files[same] === file ? undefined : same,
  });
}

/** An id derived from the content, so that the same input gives the same id. */
function recordIdOf({ session, files, entries }: Wrapped, request: Wrapping): string {
  const digests = files.map(({ sha256 }) => sha256);
  const parts = [session.id, request.profile, entries, ...digests];
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16);
  // UUID version 8 (custom bits).
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
