import type { ReadStream, WriteStream } from "node:tty";
import { firstKeepLines } from "../cli/print/first-keep.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { Library } from "../library/library.ts";
import type { LongQueries } from "../library/threads/long-questions.ts";
import { Chooser } from "./chooser.ts";
import { Dashboard } from "./dashboard.ts";
import { rowOf } from "./draw.ts";
import { headerLine, hintLine, safetyLine } from "./frame.ts";
import type { LibraryOptions } from "./home-library.ts";
import { HomeLibrary } from "./home-library.ts";
import type { Key } from "./keys.ts";
import { KeysScreen } from "./keys-screen.ts";
import { PERIODS } from "./periods.ts";
import type { HomeContext, HomeOutcome, HomeScope, Screen } from "./screen.ts";
import { agentChoices, projectChoices } from "./scope-choices.ts";
import { SafetyCheck } from "./safety.ts";
import { SearchScreen } from "./search-screen.ts";
import type { WriteFile } from "./session-actions.ts";
import { SessionActions } from "./session-actions.ts";
import { Terminal } from "./terminal.ts";

export interface HomeOptions extends Pick<HomeContext, "style" | "money" | "timezone" | "now"> {
  input: ReadStream;
  output: WriteStream;
  library: LibraryOptions;
  scope: HomeScope;
  writeFile: WriteFile;
}

/** How the home screen was left, and whether something is still being kept. */
export interface HomeEnd {
  outcome: HomeOutcome;
  isBusy: boolean;
}

/** Refreshes the clock and the ages of sessions. */
const TICK_MS = 30_000;

/** Runs the home screen until the user leaves it. */
export function runHome(options: HomeOptions): Promise<HomeEnd> {
  return new Promise((resolve, reject) => {
    new Home(options, { resolve, reject }).start();
  });
}

class Home implements HomeContext {
  readonly #options: HomeOptions;
  readonly #settle: { resolve: (end: HomeEnd) => void; reject: (error: unknown) => void };
  readonly #terminal: Terminal;
  readonly #library: HomeLibrary;
  readonly #actions: SessionActions;
  readonly #safety: SafetyCheck;
  readonly #stack: Screen[] = [];
  readonly #tick: NodeJS.Timeout;
  #scope: HomeScope;
  #said: string | undefined;
  #isDrawing = false;
  #isOver = false;

  constructor(
    options: HomeOptions,
    settle: { resolve: (end: HomeEnd) => void; reject: (error: unknown) => void },
  ) {
    this.#options = options;
    this.#settle = settle;
    this.#scope = options.scope;
    this.#terminal = new Terminal(options, {
      key: (key) => this.#press(key),
      repaint: () => this.redraw(),
      ended: () => this.leave({ kind: "done" }),
    });
    this.#library = new HomeLibrary(options.library, {
      changed: () => this.#reload(),
      advanced: () => this.redraw(),
    });
    this.#actions = new SessionActions(this, options.writeFile);
    this.#safety = new SafetyCheck(this, options.library.clock);
    this.#tick = setInterval(() => {
      this.#safety.catchUp();
      this.redraw();
    }, TICK_MS);
  }

  start(): void {
    this.#terminal.open();
    this.open(new Dashboard(this));
    this.#safety.ask();
  }

  get style(): HomeContext["style"] {
    return this.#options.style;
  }

  get money(): HomeContext["money"] {
    return this.#options.money;
  }

  get timezone(): string | undefined {
    return this.#options.timezone;
  }

  get scope(): Readonly<HomeScope> {
    return this.#scope;
  }

  now(): Date {
    return this.#options.now();
  }

  get isGrowing(): boolean {
    return this.#library.isGrowing;
  }

  library(): Promise<Library> {
    return this.#orEnd(() => this.#library.current());
  }

  sums(): Promise<LongQueries> {
    return this.#orEnd(() => this.#library.sums());
  }

  questions(): Promise<LongQueries> {
    return this.#orEnd(() => this.#library.questions());
  }

  /** Ends the home screen if the library fails; the returned promise then never settles. */
  async #orEnd<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      this.#fail(error);
      return new Promise(() => undefined);
    }
  }

  open(screen: Screen): void {
    this.#stack.push(screen);
    screen.load();
    this.redraw();
  }

  back(): void {
    if (this.#stack.length > 1) this.#stack.pop();
    this.redraw();
  }

  setScope(scope: HomeScope): void {
    this.#scope = scope;
    this.#reload();
  }

  say(sentence: string): void {
    this.#said = sentence;
    this.redraw();
  }

  copy(text: string): void {
    this.#terminal.copy(text);
  }

  leave(outcome: HomeOutcome): void {
    const { isBusy } = this.#library;
    this.#end(() => this.#settle.resolve({ outcome, isBusy }), isBusy);
  }

  /** Redraws once for all changes of this turn. */
  redraw(): void {
    if (this.#isDrawing || this.#isOver) return;
    this.#isDrawing = true;
    setImmediate(() => {
      this.#isDrawing = false;
      if (!this.#isOver) this.#draw();
    });
  }

  get #screen(): Screen | undefined {
    return this.#stack.at(-1);
  }

  #draw(): void {
    const { columns, rows } = this.#terminal.size;
    const { style } = this;
    const screen = this.#screen;
    if (!screen) return;
    try {
      const notice = this.#noticeLines(columns);
      const room = rows - 4 - notice.length;
      const body = screen.draw({ columns, rows: room });
      while (body.length < room) body.push("");
      const nowMs = this.#options.library.clock();
      const { progress } = this.#library;
      const status =
        this.#said === undefined
          ? safetyLine(columns, { style, safety: this.#safety.answer, progress, nowMs })
          : rowOf(columns, [[` ${safeLine(this.#said)}`, (text) => style.yellow(text)]]);
      this.#terminal.paint([
        headerLine(columns, this),
        style.dim("─".repeat(columns)),
        ...body.slice(0, room),
        ...notice,
        status,
        hintLine(columns, screen.hints, style),
      ]);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A notice about the first keep, shown on the dashboard only. */
  #noticeLines(columns: number): string[] {
    const { firstKeep } = this.#library;
    if (!firstKeep || this.#stack.length > 1) return [];
    return firstKeepLines(firstKeep, columns - 2).map((line) => this.style.yellow(` ${line}`));
  }

  #reload(): void {
    this.#screen?.load();
    this.#safety.ask();
    this.redraw();
  }

  #press(key: Key): void {
    if (this.#isOver) return;
    this.#said = undefined;
    this.redraw();
    try {
      this.#handle(key);
    } catch (error) {
      this.#fail(error);
    }
  }

  #handle(key: Key): void {
    const screen = this.#screen;
    if (!screen) return;
    if (key.name === "ctrl-c") return this.leave({ kind: "interrupted" });
    if (key.name === "ctrl-z") return this.#terminal.suspend();
    if (screen.press(key)) return;
    if (key.name === "ctrl-l") return this.#terminal.repaint();
    if (key.name === "escape") return this.#escape();
    if (screen.isTyping === true) return;
    if (key.name === "backspace") return this.back();
    if (this.#actions.press(key.name, screen.session)) return;
    this.#command(key.name);
  }

  /** The first screen has nothing to go back to. */
  #escape(): void {
    if (this.#stack.length > 1) this.back();
    else this.say("q: quit, ?: keys.");
  }

  #command(name: string): void {
    const period = PERIODS[Number(name) - 1];
    const step = { left: -1, right: 1 }[name];
    if (name === "q") this.leave({ kind: "done" });
    else if (name === "?") this.open(new KeysScreen(this));
    else if (name === "/") this.open(new SearchScreen(this));
    else if (period) this.setScope({ ...this.#scope, period });
    else if (step !== undefined) this.#turn(step);
    else if (name === "a") this.open(new Chooser(this, "Agent", () => agentChoices(this)));
    else if (name === "p") this.open(new Chooser(this, "Project", () => projectChoices(this)));
    else if (name === "x") this.setScope({ period: this.#scope.period });
  }

  #turn(step: number): void {
    const at = PERIODS.indexOf(this.#scope.period) + step;
    const period = PERIODS[Math.max(0, Math.min(at, PERIODS.length - 1))];
    if (period && period !== this.#scope.period) this.setScope({ ...this.#scope, period });
  }

  #fail(error: unknown): void {
    this.#end(() => this.#settle.reject(error), false);
  }

  #end(settle: () => void, isBusy: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#tick);
    this.#terminal.close();
    // Keeping continues until the process ends; do not wait for it.
    if (isBusy) return settle();
    void this.#library.close().then(settle, settle);
  }
}
