import { posix, win32 } from "node:path";
import type { FileAct, CallActs } from "../../sources/native.ts";
import { fromPlain } from "../json/plain.ts";
import type { Json, JsonObject } from "../json/value.ts";
import type { OutlinedMessage } from "../session-outline.ts";
import type { Owner, OwnedRange } from "./tracked-file.ts";
import { MAX_TEXT_LENGTH, TrackedFile } from "./tracked-file.ts";

const HASH_COVERS = "UTF-8 of the lines joined by LF, no final LF";
/** Limit for the texts of all tracked files together; files beyond it are not tracked. */
const MAX_FOLLOWED_LENGTH = 64_000_000;

/** The lines that a session wrote, as stored in a record, and what is unknown. */
export interface Attribution {
  files: Json;
  notes: Json;
}

/** Adds the attribution to a record. */
export function addAttribution(record: JsonObject, attribution: Attribution | undefined): void {
  if (!attribution) return;
  record["file-attribution"] = attribution.files;
  record["x-attribution"] = attribution.notes;
}

/** What a call did to files, and whether its message is live. */
export type StandingActs = CallActs & Pick<OutlinedMessage, "standing">;

/** `calls` are in the order in which they were made. Undefined if the session edited no file. */
export function attributionOf(
  projectPath: string | undefined,
  messages: readonly Pick<OutlinedMessage, "writtenPaths">[],
  calls: Iterable<StandingActs>,
): Attribution | undefined {
  const written = messages.flatMap(({ writtenPaths }) => writtenPaths);
  if (written.length === 0) return undefined;
  const follower = new Follower(projectPath, written);
  for (const call of calls) follower.follow(call);
  return follower.answer();
}

class Follower {
  readonly #projectPath: string | undefined;
  readonly #files = new Map<string, TrackedFile>();
  readonly #seen = new Set<string>();
  #length = 0;

  constructor(projectPath: string | undefined, paths: Iterable<string>) {
    this.#projectPath = projectPath;
    for (const path of paths) this.#files.set(pathInProject(path, projectPath), new TrackedFile());
  }

  follow(call: StandingActs): void {
    // A call may be recorded in several messages, but was made once.
    if (call.callId !== "" && this.#seen.has(call.callId)) return;
    this.#seen.add(call.callId);
    for (const act of call.acts) this.#apply(act, call);
  }

  #apply(act: FileAct, { callId, model, standing }: StandingActs): void {
    if (act.kind === "shell") {
      for (const file of this.#files.values()) file.hasShellSince = true;
      return;
    }
    const file = this.#files.get(pathInProject(act.path, this.#projectPath));
    if (!file) return;
    const owner: Owner = { hand: "ai", ...(model === undefined ? {} : { model }) };
    file.apply(this.#bounded(act), { owner, callId });
    if (standing === "rewound" && act.kind !== "read") file.doubt();
  }

  #bounded(act: Exclude<FileAct, { kind: "shell" }>): Exclude<FileAct, { kind: "shell" }> {
    const length = lengthOf(act);
    this.#length += length;
    if (length <= MAX_TEXT_LENGTH && this.#length <= MAX_FOLLOWED_LENGTH) return act;
    return { kind: "unclear", path: act.path, why: "there is too much text to be followed" };
  }

  answer(): Attribution | undefined {
    const edited = [...this.#files].filter(([, file]) => file.isEdited).toSorted(byPath);
    if (edited.length === 0) return undefined;
    return {
      files: fromPlain({
        files: edited.map(([path, file]) => ({
          path,
          conversations: [conversationOf(file.ranges() ?? [])],
        })),
      }),
      notes: fromPlain({
        "content-hash-covers": HASH_COVERS,
        files: edited.map(([path, file]) => noteOf(path, file)),
      }),
    };
  }
}

function byPath([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function lengthOf(act: Exclude<FileAct, { kind: "shell" }>): number {
  if (act.kind === "read") return act.text.length;
  return act.kind === "unclear" ? 0 : act.parts.reduce((sum, { after }) => sum + after.length, 0);
}

/** If all ranges have the same contributor, it is written once for the conversation. */
function conversationOf(ranges: readonly OwnedRange[]): Record<string, unknown> {
  const contributors = ranges.map(({ owner }) => contributorOf(owner));
  const [first] = contributors;
  const isOne = contributors.every((item) => JSON.stringify(item) === JSON.stringify(first));
  return {
    ...(first && isOne ? { contributor: first } : {}),
    ranges: ranges.map(({ startLine, endLine, contentHash, owner }) => ({
      "start-line": startLine,
      "end-line": endLine,
      "content-hash": contentHash,
      "content-hash-alg": "sha-256",
      ...(isOne ? {} : { contributor: contributorOf(owner) }),
    })),
  };
}

function contributorOf({ hand, model }: Owner): Record<string, string> {
  return { type: hand, ...(model === undefined ? {} : { "model-id": model }) };
}

function noteOf(path: string, file: TrackedFile): Record<string, unknown> {
  const why = file.why();
  return {
    path,
    known: why === undefined,
    "why-not": why,
    "as-of": file.asOf,
    "shell-ran-after": file.hasShellSince,
  };
}

/** Relative to the project directory if the path is inside it; otherwise unchanged. */
export function pathInProject(path: string, projectPath: string | undefined): string {
  if (/^[A-Za-z]:[\\/]/.test(path)) {
    const inside = projectPath === undefined ? path : win32.relative(projectPath, path);
    const isOutside = inside.startsWith("..") || win32.isAbsolute(inside);
    return isOutside ? win32.normalize(path) : inside.replaceAll("\\", "/");
  }
  if (!posix.isAbsolute(path)) return posix.normalize(path.replace(/^(\.\/)+/, ""));
  const inside = projectPath === undefined ? ".." : posix.relative(projectPath, path);
  return inside.startsWith("..") ? posix.normalize(path) : inside;
}
