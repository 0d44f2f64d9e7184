import type { MessageAnswer, Transcript } from "../queries/transcript.ts";
import { counted } from "../cli/print/figures.ts";
import type { Unfolded } from "../cli/print/message.ts";
import { safeLine } from "../cli/print/safe.ts";
import { headLines, messageBlocks } from "../cli/print/transcript.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import { LatestAnswer } from "./latest-answer.ts";
import { endsOf, rowOf } from "./draw.ts";
import type { Key } from "./keys.ts";
import { stepOf } from "./keys.ts";
import { MessageScreen } from "./message-screen.ts";
import { nameOf } from "./session-actions.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import type { Size } from "./terminal.ts";

/** A line of the transcript and its message; lines of the head have none. */
interface Line {
  text: string;
  message?: MessageAnswer;
}

const MARGIN = 2;
const MOST_COLUMNS = 140;

/** A session to read; each message can be opened. */
export class TranscriptScreen implements Screen {
  readonly title: string;
  readonly hints: readonly Hint[] = [
    ["↑↓", "move"],
    ["⏎", "message"],
    ["t", "tools"],
    ["r", "resume"],
    ["e", "export"],
    ["y", "copy id"],
    ["Esc", "back"],
  ];
  readonly #home: HomeContext;
  readonly #read: LatestAnswer<Transcript>;
  readonly #unfolded = new Set<Unfolded>();
  #session: SessionSummary;
  #lines: Line[] = [];
  #rest: Iterator<Line> | undefined;
  #made: { transcript: Transcript; columns: number; unfolded: string } | undefined;
  #rows = 1;
  #top = 0;
  /** Id of the selected message; defaults to the first visible one. */
  #chosen: string | undefined;
  /** Message to scroll to once the transcript is read. */
  #goTo: string | undefined;
  #isFollowing = false;

  constructor(home: HomeContext, session: SessionSummary, messageId?: string) {
    this.#home = home;
    this.#session = session;
    this.#goTo = messageId;
    this.title = session.title ?? "untitled";
    this.#read = new LatestAnswer(() => home.redraw());
  }

  get session(): SessionSummary {
    return this.#session;
  }

  load(): void {
    const wasAtEnd = this.#isAtEnd();
    void this.#read.ask(async () => {
      const transcript = await (await this.#home.library()).transcript(nameOf(this.#session));
      this.#session = transcript.session;
      // Keep following a running session.
      if (wasAtEnd) this.#follow(transcript);
      return transcript;
    });
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.#home;
    const { value, error } = this.#read;
    this.#rows = Math.max(1, rows - 2);
    if (!value) {
      const text = error === undefined ? "reading …" : safeLine(error);
      return [this.#head(columns), "", rowOf(columns, [[`  ${text}`, (part) => style.dim(part)]])];
    }
    this.#make(value, Math.min(columns, MOST_COLUMNS));
    if (this.#isFollowing) {
      this.#need(Infinity);
      this.#top = this.#lines.length;
      this.#isFollowing = false;
    }
    this.#need(this.#top + this.#rows);
    this.#top = Math.max(0, Math.min(this.#top, this.#lines.length - this.#rows));
    const chosen = this.#chosenId();
    const shown = this.#lines.slice(this.#top, this.#top + this.#rows);
    const lines = shown.map(({ text, message }) => {
      const isChosen = message !== undefined && message.id === chosen && text !== "";
      return `${isChosen ? style.cyan("▌") : " "} ${text}`;
    });
    return [this.#head(columns), "", ...lines];
  }

  #head(columns: number): string {
    const { style } = this.#home;
    const all = this.#read.value?.messages.length ?? 0;
    const at = this.#rest
      ? ""
      : ` · ${Math.round((100 * this.#bottom()) / Math.max(1, this.#lines.length))} %`;
    return endsOf(
      columns,
      [[` ${safeLine(this.title)}`, (text) => style.bold(text)]],
      [[all > 0 ? ` ${counted(all, "message")}${at} ` : "", (text) => style.dim(text)]],
    );
  }

  #bottom(): number {
    return Math.min(this.#lines.length, this.#top + this.#rows);
  }

  /** Lines are created on demand, because long sessions have very many. */
  #make(transcript: Transcript, columns: number): void {
    const unfolded = [...this.#unfolded].join();
    const made = this.#made;
    const isSame = made?.transcript === transcript && made.columns === columns;
    if (isSame && made.unfolded === unfolded) return;
    const goTo = this.#goTo ?? (made ? this.#lines[this.#top]?.message?.id : undefined);
    this.#made = { transcript, columns, unfolded };
    this.#lines = [];
    this.#rest = this.#linesOf(transcript, columns - MARGIN - 1);
    if (goTo !== undefined) this.#show(goTo);
    if (this.#goTo !== undefined) this.#chosen = this.#goTo;
    this.#goTo = undefined;
  }

  *#linesOf(transcript: Transcript, columns: number): Generator<Line> {
    const { style } = this.#home;
    const view = { columns, style, unfolded: this.#unfolded, agents: [] };
    for (const text of headLines(transcript, view)) yield { text };
    for (const { message, lines } of messageBlocks(transcript, view)) {
      for (const text of lines) yield { text, message };
    }
  }

  #need(count: number): void {
    while (this.#rest && this.#lines.length < count) {
      const next = this.#rest.next();
      if (next.done === true) this.#rest = undefined;
      else this.#lines.push(next.value);
    }
  }

  #show(messageId: string): void {
    let at = -1;
    for (let line = 0; at === -1; line += 1) {
      this.#need(line + 1);
      if (line >= this.#lines.length) break;
      if (this.#lines[line]?.message?.id === messageId) at = line;
    }
    if (at !== -1) this.#top = at;
  }

  #isAtEnd(): boolean {
    return (
      this.#lines.length > 0 && this.#rest === undefined && this.#bottom() >= this.#lines.length
    );
  }

  #follow({ messages }: Transcript): void {
    this.#isFollowing = true;
    this.#chosen = messages.at(-1)?.id;
  }

  #chosenId(): string | undefined {
    const seen = this.#lines.slice(this.#top, this.#top + this.#rows);
    const isSeen = seen.some(({ message }) => message?.id === this.#chosen);
    if (isSeen && this.#chosen !== undefined) return this.#chosen;
    return seen.find(({ message, text }) => message !== undefined && text !== "")?.message?.id;
  }

  press(key: Key): boolean {
    const step = stepOf(key, this.#rows);
    if (step !== undefined) this.#move(step);
    else if (key.name === "enter") this.#enter();
    else if (key.name === "n" || key.name === "tab") this.#next(1);
    else if (key.name === "b" || key.name === "backtab") this.#next(-1);
    else if (key.name === "t") this.#toggle("tools");
    else if (key.name === "o") this.#toggle("thoughts");
    else return false;
    this.#home.redraw();
    return true;
  }

  #toggle(what: Unfolded): void {
    if (!this.#unfolded.delete(what)) this.#unfolded.add(what);
  }

  /** Scrolls by lines and clears the selection. */
  #move(step: number): void {
    if (Math.abs(step) === Infinity) return this.#jump(step);
    this.#need(this.#top + this.#rows + Math.abs(step));
    const last = Math.max(0, this.#lines.length - this.#rows);
    const before = this.#top;
    this.#top = Math.max(0, Math.min(this.#top + step, last));
    // At either end, move the selection instead.
    if (this.#top === before && Math.abs(step) === 1) this.#next(step > 0 ? 1 : -1);
    else this.#chosen = undefined;
  }

  /** Jumps to the first or last message. */
  #jump(step: number): void {
    if (step > 0) this.#need(Infinity);
    const said = this.#lines.filter(({ message }) => message !== undefined);
    this.#chosen = (step > 0 ? said.at(-1) : said[0])?.message?.id;
    this.#top = step > 0 ? this.#lines.length : 0;
  }

  #next(step: 1 | -1): void {
    const ids = this.#ids();
    const at = ids.indexOf(this.#chosenId() ?? "");
    const id = ids[at + step];
    if (id === undefined) return;
    this.#chosen = id;
    const line = this.#lines.findIndex(({ message }) => message?.id === id);
    const isSeen = line >= this.#top && line < this.#top + this.#rows - 1;
    if (!isSeen && line !== -1) this.#top = Math.max(0, line);
  }

  #ids(): string[] {
    this.#need(this.#top + this.#rows * 3);
    const ids = this.#lines.flatMap(({ message }) => message?.id ?? []);
    return [...new Set(ids)];
  }

  #enter(): void {
    const id = this.#chosenId();
    const message = this.#read.value?.messages.find((item) => item.id === id);
    if (message) this.#home.open(new MessageScreen(this.#home, this.#session, message));
  }
}
