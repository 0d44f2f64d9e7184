import type { Diagnostic } from "../model/diagnostic.ts";
import type { PromptLog } from "../model/prompt-log.ts";
import type { SavedChat } from "../model/saved-chat.ts";
import type { Session } from "../model/session.ts";
import type { SessionFile } from "../model/session-file.ts";
import type { ToolFact } from "../model/tool-fact.ts";
import type { UsageFact } from "../model/usage-fact.ts";
import type { PlayedFile } from "../replay/session.ts";
import type { Links } from "../replay/chains.ts";
import { linkSessions } from "../replay/chains.ts";
import { fileBytes } from "../sources/bytes.ts";
import type { Home } from "./gather.ts";
import type { Shelf } from "./shelf.ts";
import { factsOf } from "../replay/usage-facts.ts";
import { toolFactsOf } from "../replay/tool-facts.ts";
import { readPromptLogs, readSavedChats, readSessions, sessionFilesOf } from "./gather.ts";

/** All sessions of the given homes, read straight from the disk, when they are asked for. */
export class DiskShelf implements Shelf {
  readonly homes: readonly Home[];
  #all: Everything | undefined;

  constructor(homes: readonly Home[]) {
    this.homes = homes;
  }

  /** Outlines of all sessions, and what else tells of conversations. Reads every file once. */
  everything(): Everything {
    this.#all ??= this.#readAll();
    return this.#all;
  }

  outlines(): Session[] {
    return this.everything().sessions;
  }

  usageFacts(): UsageFact[] {
    const { sessions, links } = this.everything();
    return sessions.flatMap((session) =>
      factsOf(session, (message) => links.isForeign(session, message)),
    );
  }

  toolFacts(): ToolFact[] {
    const { sessions, links } = this.everything();
    return sessions.flatMap((session) =>
      toolFactsOf(session, (message) => links.isForeign(session, message)),
    );
  }

  savedChats(): SavedChat[] {
    return this.everything().savedChats;
  }

  promptLogs(): PromptLog[] {
    return this.everything().promptLogs;
  }

  #readAll(): Everything {
    const { sessions, played } = readSessions(this.#files(), "outline");
    const diagnostics = this.homes.flatMap((home) => home.diagnostics);
    diagnostics.push(...played.flatMap((file) => file.diagnostics));
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const savedChats = readSavedChats(this.homes, report);
    const promptLogs = readPromptLogs(this.homes, report);
    const files = played.map(({ file, format, generation, replay }) => {
      const isRead = replay.headers > 0 || replay.messages.length > 0;
      return { file, format, generation, isRead };
    });
    return { sessions, links: linkSessions(sessions), savedChats, promptLogs, files, diagnostics };
  }

  /** Sessions in full whose files name this id (there is more than one only by accident). */
  read(id: string): Session | undefined {
    const recorded = id.split("~", 1)[0] ?? id;
    const named = this.#files().filter(({ home, file }) => {
      const peeked = peek(home, file);
      return peeked === undefined ? file.path.includes(recorded) : peeked === recorded;
    });
    return readSessions(named, "full").sessions.find((session) => session.id === id);
  }

  #files(): { home: Home; file: SessionFile }[] {
    return this.homes.flatMap((home) => sessionFilesOf(home).map((file) => ({ home, file })));
  }
}

export interface Everything {
  sessions: Session[];
  links: Links;
  savedChats: SavedChat[];
  promptLogs: PromptLog[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

export interface ReadFile extends Pick<PlayedFile, "file" | "format" | "generation"> {
  /** Something of a session came out of it. */
  isRead: boolean;
}

function peek(home: Home, file: SessionFile): string | undefined {
  try {
    return home.source.peekId(fileBytes(file.path));
  } catch {
    // It will be reported when it is read.
    return undefined;
  }
}
