import { createHmac, hash } from "node:crypto";
import type { SyncPolicy } from "../core/team/sync-protocol.ts";

/** A UUID, or digits and letters as programs make them: nobody can guess such a name. */
const RANDOM = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-z]{20}/i;

/**
 * Names at level `usage`: the server can distinguish them but not read them. Random names are
 * hidden with a key of the server, so that they are the same from every machine of a person, and
 * after a machine lost its own key: a session sent again replaces what was sent before. Names that
 * somebody could guess, such as those of projects, are hidden with a key that never leaves the
 * machine.
 */
export class HiddenNames {
  readonly #own: string;
  readonly #shared: string;

  /** `own` is the machine's key. Older servers have none. */
  constructor(own: string, { nameKey = own }: Pick<SyncPolicy, "nameKey">) {
    this.#own = own;
    this.#shared = nameKey;
  }

  /** Changes with the keys: sessions that were sent under other names are sent again. */
  get digest(): string {
    return hash("sha256", JSON.stringify([this.#own, this.#shared]), "hex");
  }

  project(name: string): string {
    return hidden(name, this.#own);
  }

  /** The id of a message or a reply. */
  id(id: string): string {
    return hidden(id, RANDOM.test(id) ? this.#shared : this.#own);
  }

  /** Ids of subagents may be short, but those of their parents are not. */
  session({ id, parentId }: { id: string; parentId?: string | null | undefined }): string {
    if (RANDOM.test(id) || !parentId) return this.id(id);
    return this.id(JSON.stringify([parentId, id]));
  }
}

function hidden(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 24);
}
