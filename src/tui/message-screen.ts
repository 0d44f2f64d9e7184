import { exact, fullMoment } from "../cli/print/figures.ts";
import type { Unfolded } from "../cli/print/message.ts";
import { messageLines } from "../cli/print/message.ts";
import { homePath } from "../cli/print/path.ts";
import { safeLine } from "../cli/print/safe.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { MessageAnswer } from "../queries/transcript.ts";
import { endsOf, rowOf, widthOf } from "./draw.ts";
import type { Hint, HomeContext } from "./screen.ts";
import { ScrolledScreen } from "./scroll.ts";
import type { Size } from "./terminal.ts";

const EVERYTHING: ReadonlySet<Unfolded> = new Set(["thoughts", "tools", "context", "taken-back"]);

/** One message with everything that is folded elsewhere: thoughts, calls and their output. */
export class MessageScreen extends ScrolledScreen {
  readonly title = "message";
  readonly hints: readonly Hint[] = [
    ["↑↓", "scroll"],
    ["y", "copy id"],
    ["Esc", "back"],
    ["?", "keys"],
  ];
  readonly session: SessionSummary;
  readonly #message: MessageAnswer;

  constructor(home: HomeContext, session: SessionSummary, message: MessageAnswer) {
    super(home);
    this.session = session;
    this.#message = message;
  }

  draw({ columns, rows }: Size): string[] {
    const { style } = this.home;
    const message = this.#message;
    const lines = messageLines(message, {
      columns: columns - 1,
      style,
      unfolded: EVERYTHING,
      session: this.session,
    });
    const who = message.author === "model" ? (message.model ?? "model") : message.author;
    const head = endsOf(
      columns,
      [[` ${safeLine(who)}, ${fullMoment(message.at)}`, (text) => style.bold(text)]],
      [[`${tokensOf(message)} `, (text) => style.dim(text)]],
    );
    const { file, line } = message.place;
    const standing = message.standing === "live" ? "" : `${message.standing} · `;
    const where = ` ${standing}${homePath(file)}:${line}`;
    // The end of a path is more useful than its beginning.
    const shown = widthOf(where) > columns ? ` …${where.slice(2 - columns)}` : where;
    const place = rowOf(columns, [[shown, (text) => style.dim(text)]]);
    return [head, place, "", ...this.scroll.visible(lines, rows - 3)];
  }
}

function tokensOf({ tokens }: MessageAnswer): string {
  if (tokens?.total === undefined || tokens.total === null) return "";
  return `${exact(tokens.total)} tokens: ${exact(tokens.input)} input, ${exact(tokens.output)} output`;
}
