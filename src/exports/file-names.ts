import type { Session } from "../core/session/session.ts";
import type { Export } from "./export.ts";

export type NamedBy = Pick<Session, "id" | "source" | "project" | "startedAt" | "updatedAt">;

/** Makes unique, descriptive file names that are safe on every system. */
export class FileNames {
  readonly #taken = new Set<string>();

  /** `2026-02-10-ledger-AGENT-08c1f87b.html`; `messages.csv`; `sessions.jsonl` */
  take(session: NamedBy | undefined, { form, table }: { form: Export; table?: string }): string {
    const about = session ? nameOf(session) : "sessions";
    const stem = table === undefined ? about : session ? `${about}.${table}` : table;
    for (let number = 1; ; number += 1) {
      const name = `${stem}${number === 1 ? "" : `-${number}`}.${form.extension}`;
      // Some file systems ignore case.
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

/** Ids are unique only within an agent. */
function nameOf({ id, source, project, startedAt, updatedAt }: NamedBy): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(startedAt ?? updatedAt ?? "")?.[0] ?? "undated";
  const about = safe(project.name, 40) || "project";
  return `${day}-${about}-${safe(source, 40)}-${safe(id, 8) || "session"}`;
}

/** Letters, digits, dots and dashes, with none of the latter two at either end. */
function safe(text: string, length: number): string {
  return text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .replace(/^[-._]+/, "")
    .slice(0, length)
    .replace(/[-._]+$/, "");
}
