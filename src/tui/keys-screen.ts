import { rowOf } from "./draw.ts";
import type { Hint } from "./screen.ts";
import { ScrolledScreen } from "./scroll.ts";
import type { Size } from "./terminal.ts";

/** All keys; the guide has the same list. */
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["1 – 6", "today, 7 days, 30 days, month, year, all"],
  ["← →", "the period before and after; by day: the bar before and after"],
  ["Tab, Shift-Tab", "next and previous panel, next and previous message"],
  ["↑ ↓ PgUp PgDn Home End", "move; also k j g G"],
  ["Enter", "open: project, sessions, transcript, message"],
  ["Esc, Backspace", "back"],
  ["/", "search everything, while you type"],
  ["a", "only one agent"],
  ["p", "only one project"],
  ["x", "without filters"],
  ["r", "resume the session, in its folder"],
  ["R", "restore the session for its agent"],
  ["h", "hand the session over to another agent"],
  ["e", "export the session"],
  ["y", "copy the session's id"],
  ["t, o", "in a transcript: show tools' output, thoughts"],
  ["Ctrl-L", "draw again"],
  ["Ctrl-Z", "pause; `fg` comes back"],
  ["q, Ctrl-C", "leave"],
];

export class KeysScreen extends ScrolledScreen {
  readonly title = "keys";
  readonly hints: readonly Hint[] = [["Esc", "back"]];

  draw({ columns, rows }: Size): string[] {
    const { style } = this.home;
    const width = Math.min(26, Math.floor(columns / 3));
    const lines = KEYS.map(([keys, what]) => {
      return rowOf(columns, [[`  ${keys.padEnd(width)}`, (text) => style.cyan(text)], [what]]);
    });
    const head = rowOf(columns, [[" Keys", (text) => style.bold(text)]]);
    return [head, "", ...this.scroll.visible(lines, rows - 2)];
  }
}
