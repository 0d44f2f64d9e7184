import type { Injection, InjectionKind, Reference } from "../../../core/session/message.ts";

/**
 * The parts of a user message: what the user typed, which files were inserted into the prompt, and
 * what Gemini CLI added itself.
 */
export interface UserText {
  /** The typed text; empty if nothing was typed. */
  typed: string;
  references: Reference[];
  injections: Injection[];
}

const FILES_HEADER = "--- Content from referenced files ---";
const CONTEXT_HEADER = "--- Content from referenced context ---";
const FILES_FOOTER = "--- End of content ---";
const FILE_HEADING = /^\n?Content from @([^\n]+):\n/;

/** Parts that begin like this were never typed. */
const PART_OPENINGS: readonly (readonly [InjectionKind, string])[] = [
  ["session-context", "This is the Gemini CLI. We are setting up the context for our chat."],
  ["agent-selection", "<system_note>\nThe user has explicitly selected the following agent(s):"],
  ["shell-run", "I ran the following shell command:\n"],
  ["editor-context", "Here is the user's editor context as a JSON object"],
  ["editor-context", "Here is a summary of changes in the user's editor context, in JSON format"],
  ["workspace", "- **Workspace Directories:**"],
  ["plan-mode", "User has manually exited Plan Mode. Switching to "],
  ["steering", "User steering update:\n<user_input>"],
  ["steering", "User hints:"],
  ["background-output", "Background execution update:\n<background_output>"],
  ["loop-recovery", "System: Potential loop detected."],
  ["agent-recovery", "You have stopped calling tools without finishing."],
  ["agent-recovery", "You have exceeded the maximum number of turns"],
  ["agent-recovery", "You have exceeded the time limit"],
  ["history-repair", "[Continuing from previous AI thoughts...]"],
  ["history-repair", "The tool execution result was lost due to context management truncation."],
  ["compression-summary", "<state_snapshot>"],
  ["compression-request", "First, reason in your scratchpad. Then, generate the <state_snapshot>."],
  ["tool-response", "[Function Response: "],
];

const WHOLE_PARTS: ReadonlyMap<string, InjectionKind> = new Map([
  ["Please continue.", "continuation"],
  ["System: Please continue.", "continuation"],
]);

/** Blocks with a closing tag; text around them may be typed. */
const BLOCKS: readonly (readonly [InjectionKind, string, string])[] = [
  ["session-context", "<session_context>", "</session_context>"],
  ["hook-context", "<hook_context>", "</hook_context>"],
];

export function readUserText(texts: readonly string[], isOneString: boolean): UserText {
  const reader = new UserTextReader();
  for (const text of isOneString ? texts.flatMap(splitString) : texts) reader.read(text);
  return reader.end();
}

class UserTextReader {
  readonly #typed: string[] = [];
  readonly #references: Reference[] = [];
  readonly #injections: Injection[] = [];
  #mode: "typed" | "files" | "context" = "typed";

  read(text: string): void {
    const trimmed = text.trim();
    if (trimmed === FILES_FOOTER) this.#mode = "typed";
    else if (trimmed === FILES_HEADER) this.#mode = "files";
    else if (trimmed === CONTEXT_HEADER) this.#mode = "context";
    else if (!this.#readReference(text)) this.#readTyped(text);
  }

  /** A heading names a file; everything up to the next heading is the file's text. */
  #readReference(text: string): boolean {
    const heading = FILE_HEADING.exec(text);
    if (heading && (this.#mode !== "typed" || this.#isMentioned(heading[1] ?? ""))) {
      const content = text.slice(heading[0].length);
      this.#references.push({ path: heading[1] ?? "", content });
      if (this.#mode === "typed") this.#mode = "files";
      return true;
    }
    if (this.#mode === "typed") return false;
    const current = this.#references.at(-1);
    if (current) current.content += text;
    else if (text.trim() !== "") this.#references.push({ path: "", content: text });
    return true;
  }

  /** In old versions MCP resources came without the header line; they were typed as `@name`. */
  #isMentioned(path: string): boolean {
    return this.#typed.some((text) => text.includes(`@${path}`));
  }

  #readTyped(text: string): void {
    let rest = text;
    for (const [kind, open, close] of BLOCKS) rest = this.#takeBlock(rest, { kind, open, close });
    const kind = injectionOf(rest.trim());
    if (kind !== undefined) this.#injections.push({ kind, text: rest });
    else if (rest !== "") this.#typed.push(rest);
  }

  /**
   * Extracts a block at the start of the text, or at its end on a separate line; quoted blocks
   * stay.
   */
  #takeBlock(text: string, block: { kind: InjectionKind; open: string; close: string }): string {
    const from = text.indexOf(block.open);
    if (from === -1) return text;
    const before = text.slice(0, from);
    const end = text.indexOf(block.close, from);
    const to = end === -1 ? text.length : end + block.close.length;
    const after = text.slice(to);
    const isFirst = before.trim() === "";
    const isQuoted = !/\n\s*$/.test(before) || end === -1 || after.trim() !== "";
    if (!isFirst && isQuoted) return text;
    this.#injections.push({ kind: block.kind, text: text.slice(from, to) });
    return isFirst ? after.replace(/^\s+/, "") : before.replace(/\s+$/, "");
  }

  end(): UserText {
    for (const reference of this.#references) reference.content = trimBreaks(reference.content);
    const typed = this.#typed.join("");
    return { typed: typed.trim(), references: this.#references, injections: this.#injections };
  }
}

function injectionOf(trimmed: string): InjectionKind | undefined {
  const whole = WHOLE_PARTS.get(trimmed);
  if (whole) return whole;
  for (const [kind, opening] of PART_OPENINGS) if (trimmed.startsWith(opening)) return kind;
  return undefined;
}

/**
 * Up to 0.27 the parts were joined into one string; the delimiters still mark the boundaries:
 *
 *     Explain @a.md\n--- Content from referenced files ---\n
 *     Content from @a.md:\n…\n--- End of content ---
 */
function splitString(text: string): string[] {
  const header = firstOf(text, [`\n${FILES_HEADER}`, `\n${CONTEXT_HEADER}`]);
  if (header === undefined) return splitResources(text);
  const typed = text.slice(0, header.at);
  const footer = text.lastIndexOf(`\n${FILES_FOOTER}`);
  const isClosed = footer >= header.at + header.text.length;
  const block = text.slice(header.at + header.text.length, isClosed ? footer : undefined);
  const after = isClosed ? text.slice(footer + FILES_FOOTER.length + 1) : "";
  const parts = [...splitResources(typed), header.text, ...splitHeadings(block)];
  return isClosed ? [...parts, FILES_FOOTER, after] : parts;
}

function firstOf(
  text: string,
  needles: readonly string[],
): { at: number; text: string } | undefined {
  let first: { at: number; text: string } | undefined;
  for (const needle of needles) {
    const at = text.indexOf(needle);
    if (at !== -1 && (!first || at < first.at)) first = { at, text: needle };
  }
  return first;
}

function splitHeadings(block: string): string[] {
  return block.split(/(?=\nContent from @[^\n]+:\n)/).filter((part) => part !== "");
}

function splitResources(text: string): string[] {
  const first = text.search(/\nContent from @[^\n]+:\n/);
  return first === -1 ? [text] : [text.slice(0, first), ...splitHeadings(text.slice(first))];
}

function trimBreaks(text: string): string {
  return text.replace(/^\n/, "").replace(/\n$/, "");
}

/** Returns the text inside `User steering update:\n<user_input>…</user_input>`. */
export function steeringText(injection: Injection): string {
  const inside = /^\s*User steering update:\n<user_input>([^]*?)<\/user_input>/.exec(
    injection.text,
  );
  return (inside?.[1] ?? injection.text.replace(/^\s*User hints:\s*/, "")).trim();
}
