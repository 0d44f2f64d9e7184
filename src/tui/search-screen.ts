import { safeLine } from "../cli/print/safe.ts";
import { footOf, headOf, hitLine } from "../cli/print/search.ts";
import { shownIds } from "../cli/print/session-list.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { SearchAnswer, SearchHit } from "../queries/search/search.ts";
import { LatestAnswer } from "./latest-answer.ts";
import { firstShown, rowOf } from "./draw.ts";
import type { Key } from "./keys.ts";
import { stepOf, withoutLast } from "./keys.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import { scopeFilter } from "./screen.ts";
import type { Size } from "./terminal.ts";
import { TranscriptScreen } from "./transcript-screen.ts";

/** Delay after typing before the search starts. */
const SETTLE_MS = 120;
const MOST_HITS = 60;

/** Full-text search while typing. */
export class SearchScreen implements Screen {
  readonly title = "search";
  isTyping = true;
  readonly #home: HomeContext;
  readonly #found: LatestAnswer<SearchAnswer>;
  #text = "";
  #timer: NodeJS.Timeout | undefined;
  #at = 0;
  #rows = 1;

  constructor(home: HomeContext) {
    this.#home = home;
    this.#found = new LatestAnswer(() => home.redraw());
  }

  get hints(): readonly Hint[] {
    if (this.isTyping)
      return [
        ["type", "words"],
        ["↓ ⏎", "to the results"],
        ["Esc", "back"],
      ];
    return [
      ["⏎", "open"],
      ["/", "other words"],
      ["r", "resume"],
      ["e", "export"],
      ["y", "copy id"],
      ["Esc", "back"],
    ];
  }

  get session(): SessionSummary | undefined {
    const id = this.#hits[this.#at]?.sessionId;
    return this.isTyping ? undefined : this.#found.value?.sessions.find((item) => item.id === id);
  }

  get #hits(): readonly SearchHit[] {
    return this.#text.trim() === "" ? [] : (this.#found.value?.hits ?? []);
  }

  load(): void {
    if (this.#text.trim() !== "") this.#ask();
  }

  #ask(): void {
    const filter = { ...scopeFilter(this.#home.scope), limit: MOST_HITS };
    const text = asTyped(this.#text);
    void this.#found.ask(async () => (await this.#home.library()).search(text, { filter }));
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.#home;
    const cursor = this.isTyping ? "▏" : "";
    const input = rowOf(columns, [
      [" / ", (text) => style.bold(text)],
      [`${safeLine(this.#text)}${/\s$/.test(this.#text) ? " " : ""}`],
      [cursor, (text) => style.cyan(text)],
    ]);
    this.#rows = Math.max(1, rows - 3);
    const body = this.#lines(columns);
    const first = firstShown(this.#chosenLine(), body.length, this.#rows);
    return [input, "", ...body.slice(first, first + this.#rows), this.#foot(columns)];
  }

  /** Sessions with their hits; a line is selected once typing has ended. */
  #lines(columns: number): string[] {
    const { style } = this.#home;
    const answer = this.#found.value;
    if (this.#text.trim() === "") {
      const hint =
        'Type words of a prompt, an answer, a command or a file. "…" is a phrase, -word excludes.';
      return [rowOf(columns, [[`  ${hint}`, (text) => style.dim(text)]])];
    }
    if (!answer || answer.hits.length === 0) {
      const near = (answer?.suggestions ?? []).map(safeLine).join(", ");
      const nothing = near === "" ? "No matches." : `No matches. Did you mean: ${near}`;
      const text = this.#found.isWaiting ? "searching …" : (this.#found.error ?? nothing);
      return [rowOf(columns, [[`  ${safeLine(text)}`, (part) => style.dim(part)]])];
    }
    const view = { style, columns: columns - 2, now: this.#home.now() };
    const ids = shownIds(answer.sessions.map(({ id }) => id));
    const sessions = new Map(answer.sessions.map((session) => [session.id, session]));
    return answer.hits.flatMap((hit, at) => {
      const isChosen = !this.isTyping && at === this.#at;
      const line = `${isChosen ? style.cyan("›") : " "} ${hitLine(hit, view)}`;
      const session = sessions.get(hit.sessionId);
      const isFirst = answer.hits[at - 1]?.sessionId !== hit.sessionId;
      if (!isFirst || !session) return [line];
      return [`  ${headOf(session, ids.get(session.id) ?? session.id, view)}`, line];
    });
  }

  #chosenLine(): number {
    const heads = new Set(this.#hits.slice(0, this.#at + 1).map(({ sessionId }) => sessionId));
    return this.isTyping ? 0 : this.#at + heads.size;
  }

  #foot(columns: number): string {
    const { style } = this.#home;
    const answer = this.#found.value;
    const text = this.#hits.length > 0 && answer ? `  ${footOf(answer)}` : "";
    return rowOf(columns, [[text, (part) => style.dim(part)]]);
  }

  press(key: Key): boolean {
    const isTaken = this.isTyping ? this.#type(key) : this.#choose(key);
    if (isTaken) this.#home.redraw();
    return isTaken;
  }

  #type(key: Key): boolean {
    const { name, text } = key;
    if (text !== "") return this.#write(this.#text + text);
    if (name === "backspace") return this.#write(withoutLast(this.#text));
    if (name === "ctrl-u" || name === "ctrl-w") return this.#write("");
    if ((name === "down" || name === "enter" || name === "tab") && this.#hits.length > 0) {
      this.isTyping = false;
      return true;
    }
    return name === "enter";
  }

  #write(text: string): boolean {
    this.#text = text;
    this.#at = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), SETTLE_MS);
    return true;
  }

  #choose(key: Key): boolean {
    if (key.name === "/" || (key.name === "up" && this.#at === 0)) {
      this.isTyping = true;
      return true;
    }
    const step = stepOf(key, this.#rows);
    if (step !== undefined) {
      this.#at = Math.max(0, Math.min(this.#at + step, this.#hits.length - 1));
      return true;
    }
    if (key.name !== "enter" || !this.session) return false;
    const { messageId } = this.#hits[this.#at] ?? {};
    this.#home.open(new TranscriptScreen(this.#home, this.session, messageId ?? undefined));
    return true;
  }
}

/** Searches the last word as a prefix while it is being typed, except inside a phrase. */
function asTyped(text: string): string {
  const isPhrase = (text.match(/"/g) ?? []).length % 2 === 1;
  return !isPhrase && /[\p{L}\p{N}]{2}$/u.test(text) ? `${text}*` : text;
}
