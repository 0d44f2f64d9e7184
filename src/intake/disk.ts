import type { Chain } from "../model/chain.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Digest } from "../model/digest.ts";
import { groupBy } from "../model/group.ts";
import type { PromptLog } from "../model/prompt-log.ts";
import type { SavedChat } from "../model/saved-chat.ts";
import type { Session } from "../model/session.ts";
import type { SessionFile } from "../model/session-file.ts";
import type { Links } from "../replay/chains.ts";
import { linkDigests } from "../replay/chains.ts";
import { digestOf } from "../replay/digest.ts";
import { fileBytes } from "../sources/bytes.ts";
import type { Home } from "./gather.ts";
import { readPromptLogs, readSavedChats, readSessions, sessionFilesOf } from "./gather.ts";
import type { ReadFile, Shelf } from "./shelf.ts";

interface Found {
  home: Home;
  file: SessionFile;
}

interface Everything extends Links {
  savedChats: SavedChat[];
  promptLogs: PromptLog[];
  files: ReadFile[];
  diagnostics: Diagnostic[];
}

/** All sessions of the given homes, read straight from the disk, when they are asked for. */
export class DiskShelf implements Shelf {
  readonly homes: readonly Home[];
  #all: Everything | undefined;

  constructor(homes: readonly Home[]) {
    this.homes = homes;
  }

  digests(): readonly Digest[] {
    return this.#everything().digests;
  }

  chains(): readonly Chain[] {
    return this.#everything().chains;
  }

  savedChats(): readonly SavedChat[] {
    return this.#everything().savedChats;
  }

  promptLogs(): readonly PromptLog[] {
    return this.#everything().promptLogs;
  }

  files(): readonly ReadFile[] {
    return this.#everything().files;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#everything().diagnostics;
  }

  read(id: string): Session | undefined {
    const recorded = id.split("~", 1)[0] ?? id;
    const named = this.#files().filter((found) => {
      const peeked = peek(found);
      return peeked === undefined ? found.file.path.includes(recorded) : peeked === recorded;
    });
    return readSessions(named, "full").sessions.find((session) => session.id === id);
  }

  #everything(): Everything {
    this.#all ??= this.#readAll();
    return this.#all;
  }

  /** Reads session by session and keeps only digests: memory does not grow with what was said. */
  #readAll(): Everything {
    const digests: Digest[] = [];
    const files: ReadFile[] = [];
    const diagnostics = this.homes.flatMap((home) => home.diagnostics);
    for (const group of groupBy(this.#files(), groupKey).values()) {
      const { sessions, played } = readSessions(group, "outline");
      digests.push(...sessions.map(digestOf));
      for (const { file, format, generation, replay, diagnostics: reported } of played) {
        const isRead = replay.headers > 0 || replay.messages.length > 0;
        files.push({ file, format, generation, isRead });
        diagnostics.push(...reported);
      }
    }
    const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
    const savedChats = readSavedChats(this.homes, report);
    const promptLogs = readPromptLogs(this.homes, report);
    return { ...linkDigests(digests), savedChats, promptLogs, files, diagnostics };
  }

  #files(): Found[] {
    return this.homes.flatMap((home) => sessionFilesOf(home).map((file) => ({ home, file })));
  }
}

/** Files of one session are read together; one that names no session stands alone. */
function groupKey(found: Found): string {
  return peek(found) ?? found.file.path;
}

function peek({ home, file }: Found): string | undefined {
  try {
    return home.source.peekId(fileBytes(file.path));
  } catch {
    // It will be reported when it is read.
    return undefined;
  }
}
