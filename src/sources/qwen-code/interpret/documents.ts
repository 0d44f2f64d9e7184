import { groupBy } from "../../../core/group.ts";
import type { Message } from "../../../core/session/message.ts";
import { optional } from "../../../core/optional.ts";
import type { Project } from "../../../core/session/project.ts";
import { projectAt } from "../../../core/session/project.ts";
import type { SessionContent, SessionFileRef } from "../../../core/session/session.ts";
import { emptySession } from "../../../core/session/session.ts";
import { earliest, latest } from "../../../core/filter/time-range.ts";
import { fileRef } from "../../file-ref.ts";
import type { DecodedFile } from "../../source.ts";
import type { DocumentContent, QwenContent } from "../content.ts";
import { pathWithHash } from "../project.ts";
import { stemOf } from "../names.ts";
import { repliesOfMessages } from "./requests.ts";

type DocumentFile = DecodedFile & { content: DocumentContent };

/** Documents with one id are one session: after a compression Qwen Code started a new file. */
export function sessionsOfDocuments(files: readonly DecodedFile<QwenContent>[]): SessionContent[] {
  return [...groupBy(files.filter(isDocument), idOf)].map(([id, group]) => {
    return sessionOf(id, group.toSorted(byTime));
  });
}

function isDocument(file: DecodedFile<QwenContent>): file is DocumentFile {
  const { content } = file;
  if (content.kind !== "document") return false;
  return content.facts.sessionId !== undefined || content.messages.length > 0;
}

function idOf({ file, content }: DocumentFile): string {
  return content.facts.sessionId ?? stemOf(file);
}

function byTime(a: DocumentFile, b: DocumentFile): number {
  const keyOf = ({ file, content: { facts, messages } }: DocumentFile): string => {
    const begun = facts.startedAt ?? messages[0]?.at ?? "9";
    return [begun, facts.updatedAt ?? "", file.replaced ? 0 : 1, file.path].join("\n");
  };
  const [first, second] = [keyOf(a), keyOf(b)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

function sessionOf(id: string, files: readonly DocumentFile[]): SessionContent {
  const merged = new Map<string, Message>();
  const refs: SessionFileRef[] = [];
  for (const file of files) {
    const { facts, messages } = file.content;
    const before = merged.size;
    for (const recorded of messages) {
      const known = merged.get(recorded.id);
      if (known) known.places = [...known.places, recorded.place];
      else merged.set(recorded.id, { ...recorded, standing: "live", places: [recorded.place] });
    }
    const isNew = merged.size > before;
    const part = refs.length === 0 ? "whole" : isNew ? "continuation" : "copy";
    refs.push(fileRef(file, part, { firstAt: facts.startedAt, lastAt: facts.updatedAt }));
  }
  const messages = [...merged.values()];
  const facts = files.map(({ content }) => content.facts);
  const said = messages.map(({ at }) => at);
  return {
    ...emptySession(id, projectOf(files)),
    ...optional("startedAt", earliest([...facts.map(({ startedAt }) => startedAt), ...said])),
    ...optional("updatedAt", latest([...facts.map(({ updatedAt }) => updatedAt), ...said])),
    messages,
    replies: repliesOfMessages(messages),
    files: refs,
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Folders are named by a hash of the directory, so only known directories can be matched. */
function projectOf(files: readonly DocumentFile[]): Project {
  for (const { file, home, content } of files) {
    const hash = content.facts.projectHash ?? file.folder;
    const path = pathWithHash(home, hash);
    if (path !== undefined) return { ...projectAt(path), hash };
  }
  const folder = files[0]?.file.folder ?? "";
  const hash = files[0]?.content.facts.projectHash ?? folder;
  return { name: folder.slice(0, 12), hash, knownBy: "hash" };
}
