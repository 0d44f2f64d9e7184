import type { Injection, InjectionKind, Reference } from "../../../core/session/message.ts";

/** The parts of a user message: typed text, referenced files, and injected text. */
export interface UserText {
  /** Empty if nothing was typed. */
  typed: string;
  references: Reference[];
  injections: Injection[];
}

const FILES_HEADER = "--- Content from referenced files ---";
const FILES_FOOTER = "--- End of content ---";
/** The heading is a separate part, or the first line of the part with the file's text. */
const FILE_HEADING = /^\n?Content from @?([^\n]+):(?:\n|$)/;

/** Openings of parts that were not typed. */
const PART_OPENINGS: readonly (readonly [InjectionKind, string])[] = [
  ["hook-context", "<qwen:user-prompt-submit-context>"],
  ["session-context", "<qwen:session-start-context>"],
  ["session-context", "This is the Qwen Code. We are setting up the context for our chat."],
  ["reminder", "<system-reminder>"],
  ["task-notification", "<task-notification>"],
  ["compression-summary", "<state_snapshot>"],
  ["compression-summary", "<analysis>"],
  ["continuation", "Continue with the prior task using the context above."],
];

/**
 * A part may begin with reminders, followed by what was typed. A resume that finds agents in the
 * background begins the next prompt with one (0.23).
 */
const REMINDER = /^\s*<system-reminder>[^]*?<\/system-reminder>\s*/;

/** How hooks add text to a prompt: in a part with an opening of its own, or without any. */
export type HookForm = "marked" | "unmarked";

export function readUserText(texts: readonly string[], hooks: HookForm = "marked"): UserText {
  const reader = new UserTextReader(hooks);
  for (const text of texts) reader.read(text);
  return reader.end();
}

/**
 * Reads prompts of versions that recorded all parts as one text. Results with text or a picture in
 * them are recorded, too: `[Function Response: read_many_files]--- /p/notes.md ---…`
 */
export function readUserString(text: string): UserText {
  if (text.startsWith("[Function Response: ")) {
    return { typed: "", references: [], injections: [{ kind: "tool-response", text }] };
  }
  const header = text.indexOf(`\n${FILES_HEADER}`);
  if (header === -1) return readUserText([text]);
  const block = text.slice(header + FILES_HEADER.length + 1);
  const files = block.split(/(?=\nContent from @?[^\n]+:\n)|(?=\n--- End of content ---)/);
  return readUserText([text.slice(0, header), FILES_HEADER, ...files]);
}

class UserTextReader {
  readonly #typed: string[] = [];
  readonly #references: Reference[] = [];
  readonly #injections: Injection[] = [];
  readonly #hooks: HookForm;
  #isInFiles = false;

  constructor(hooks: HookForm) {
    this.#hooks = hooks;
  }

  read(text: string): void {
    const trimmed = text.trim();
    if (trimmed === FILES_HEADER) this.#isInFiles = true;
    else if (trimmed === FILES_FOOTER) this.#isInFiles = false;
    else if (this.#isInFiles) this.#readFile(text);
    else this.#readTyped(text, trimmed);
  }

  #readFile(text: string): void {
    const heading = FILE_HEADING.exec(text);
    if (heading) {
      const content = text.slice(heading[0].length);
      this.#references.push({ path: heading[1] ?? "", content });
      return;
    }
    const current = this.#references.at(-1);
    if (current) current.content += text;
    else if (text.trim() !== "") this.#references.push({ path: "", content: text });
  }

  #readTyped(text: string, trimmed: string): void {
    const reminder = REMINDER.exec(text);
    if (reminder) {
      this.#injections.push({ kind: "reminder", text: reminder[0].trim() });
      const rest = text.slice(reminder[0].length);
      return this.#readTyped(rest, rest.trim());
    }
    const kind = this.#kindOf(trimmed);
    if (kind !== undefined) this.#injections.push({ kind, text });
    else if (text !== "") this.#typed.push(text);
  }

  #kindOf(trimmed: string): InjectionKind | undefined {
    const kind = PART_OPENINGS.find(([, opening]) => trimmed.startsWith(opening))?.[0];
    // What was typed is in one part, the first.
    const isLater = this.#hooks === "unmarked" && this.#typed.length > 0;
    return kind ?? (isLater ? "hook-context" : undefined);
  }

  end(): UserText {
    for (const reference of this.#references) {
      reference.content = reference.content.replace(/^\n/, "").replace(/\n$/, "");
    }
    const typed = this.#typed.join("").trim();
    return { typed, references: this.#references, injections: this.#injections };
  }
}
