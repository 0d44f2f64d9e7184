import { safeLine } from "../cli/print/safe.ts";
import { LatestAnswer } from "./latest-answer.ts";
import type { Part } from "./draw.ts";
import { firstShown, rowOf, selected } from "./draw.ts";
import { withoutLast } from "./keys.ts";
import type { Key } from "./keys.ts";
import type { Hint, HomeContext, Screen } from "./screen.ts";
import type { Size } from "./terminal.ts";

export interface Choice {
  name: string;
  about: string;
  take: () => void;
}

/** A list to choose from, filtered by typing: agents, projects, export formats. */
export class Chooser implements Screen {
  readonly title: string;
  readonly isTyping = true;
  readonly hints: readonly Hint[] = [
    ["type", "to narrow down"],
    ["↑↓", "move"],
    ["⏎", "take"],
    ["Esc", "back"],
  ];
  readonly #home: HomeContext;
  readonly #choices: LatestAnswer<Choice[]>;
  readonly #ask: () => Promise<Choice[]>;
  #text = "";
  #at = 0;

  constructor(home: HomeContext, title: string, ask: () => Promise<Choice[]>) {
    this.#home = home;
    this.title = title;
    this.#ask = ask;
    this.#choices = new LatestAnswer(() => home.redraw());
  }

  load(): void {
    void this.#choices.ask(this.#ask);
  }

  get #shown(): Choice[] {
    const wanted = this.#text.toLowerCase();
    const all = this.#choices.value ?? [];
    return all.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted));
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.#home;
    const shown = this.#shown;
    const room = Math.max(1, rows - 3);
    const first = firstShown(this.#at, shown.length, room);
    const width = Math.min(40, Math.max(0, ...shown.map(({ name }) => safeLine(name).length)));
    const lines = shown.slice(first, first + room).map(({ name, about }, at) => {
      const isChosen = first + at === this.#at;
      const parts: Part[] = [
        [isChosen ? "› " : "  "],
        [safeLine(name).padEnd(width + 2)],
        [safeLine(about), (text) => style.dim(text)],
      ];
      return isChosen ? selected(style, columns, parts) : rowOf(columns, parts);
    });
    const { value, error } = this.#choices;
    const empty = error ?? (value ? "No match." : "reading …");
    const none = [rowOf(columns, [[`  ${safeLine(empty)}`, (text) => style.dim(text)]])];
    const head = rowOf(columns, [
      [` ${this.title}: `, (text) => style.bold(text)],
      [safeLine(this.#text)],
      ["▏", (text) => style.cyan(text)],
    ]);
    return [head, "", ...(lines.length > 0 ? lines : none)];
  }

  press({ name, text }: Key): boolean {
    const last = Math.max(0, this.#shown.length - 1);
    if (text !== "") this.#narrow(this.#text + text);
    else if (name === "backspace") this.#narrow(withoutLast(this.#text));
    else if (name === "up") this.#at = Math.max(0, this.#at - 1);
    else if (name === "down") this.#at = Math.min(last, this.#at + 1);
    else if (name === "enter") this.#take();
    else return false;
    this.#home.redraw();
    return true;
  }

  #narrow(text: string): void {
    this.#text = text;
    this.#at = 0;
  }

  #take(): void {
    const choice = this.#shown[this.#at];
    if (!choice) return;
    this.#home.back();
    choice.take();
  }
}
