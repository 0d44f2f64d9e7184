import { hash } from "node:crypto";
import { join } from "node:path";
import { addAll } from "../../../core/lists.ts";
import type { Message } from "../../../core/session/message.ts";
import { emptyMessage } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { LoggedPrompt } from "../../../core/session/prompt-log.ts";
import { isSameMoment } from "../../../core/session/prompt-log.ts";
import { memoryBytes } from "../../../kernel/bytes.ts";
import { promptsBySession, readPrompts } from "../../decoding/prompt-log.ts";
import type { HomeView } from "../../source.ts";
import type { PlayedFile } from "./file-replay.ts";

/**
 * Up to 0.38 a rewind truncated the document; the prompts remain in `logs.json`:
 *
 *     {"message": "Second question", …}, {"message": "/rewind", …}, {"message": "Another", …}
 *
 * Prompts that are in the log but not in the session were taken back by the `/rewind` that follows
 * them (pressing Escape twice is logged as that command, too). The answers are lost.
 */
export function addRewound(messages: Message[], id: string, files: readonly PlayedFile[]): void {
  const documents = files.filter(({ format }) => format === "single-json");
  const places = new Map(documents.map(({ home, file }) => [`${file.root}\n${file.folder}`, home]));
  for (const [place, home] of places) {
    const folder = place.slice(place.indexOf("\n") + 1);
    for (const prompt of rewoundOf(messages, loggedIn(home, folder).get(id) ?? [])) {
      const later = messages.findIndex(({ at }) => at !== undefined && at > (prompt.at ?? ""));
      messages.splice(later === -1 ? messages.length : later, 0, messageOf(prompt));
    }
  }
}

function rewoundOf(messages: readonly Message[], logged: readonly LoggedPrompt[]): LoggedPrompt[] {
  const rewound: LoggedPrompt[] = [];
  let unrecorded: LoggedPrompt[] = [];
  for (const prompt of logged) {
    if (/^\s*\/rewind\b/.test(prompt.text)) addAll(rewound, unrecorded.splice(0));
    else if (/^\s*[/?]/.test(prompt.text)) continue;
    else if (prompt.at === undefined || messages.some((message) => isRecorded(message, prompt)))
      unrecorded = [];
    else unrecorded.push(prompt);
  }
  return rewound;
}

/** An outline contains only the beginning of a text. */
const HEAD_LENGTH = 16;

function isRecorded({ isPrompt, at, typed, text }: Message, prompt: LoggedPrompt): boolean {
  if (!isPrompt || !isSameMoment(at, prompt.at)) return false;
  return (typed ?? text).trimStart().startsWith(prompt.text.trim().slice(0, HEAD_LENGTH));
}

const known = new WeakMap<HomeView, Map<string, ReadonlyMap<string, LoggedPrompt[]>>>();

/** Returns the logged prompts of a project folder by session; each log is read once. */
function loggedIn(home: HomeView, folder: string): ReadonlyMap<string, LoggedPrompt[]> {
  const ofHome = known.get(home) ?? new Map<string, ReadonlyMap<string, LoggedPrompt[]>>();
  known.set(home, ofHome);
  const logs = ofHome.get(folder) ?? readLogs(home, folder);
  ofHome.set(folder, logs);
  return logs;
}

function readLogs({ root, view }: HomeView, folder: string): Map<string, LoggedPrompt[]> {
  const path = join(root, "tmp", folder, "logs.json");
  if (view.sizeOf(path) === undefined) return new Map();
  const bytes = memoryBytes(path, Buffer.from(view.read(path)));
  // Problems were reported when the log itself was read.
  const ignore = (): void => undefined;
  return promptsBySession(ignore, (sink) => readPrompts(bytes, sink));
}

function messageOf({ text, at, number, place }: LoggedPrompt): Message {
  return {
    ...emptyMessage("user"),
    isPrompt: true,
    id: `logged-${number ?? hash("sha256", `${at} ${text}`, "hex").slice(0, 12)}`,
    ...optional("at", at),
    text,
    typed: text,
    place,
    places: [place],
    standing: "rewound",
    reason: "rewind",
  };
}
