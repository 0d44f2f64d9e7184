import { insightsLines } from "../cli/print/insights.ts";
import type { InsightsAnswer } from "../queries/insights/insights.ts";
import { endsOf } from "./draw.ts";
import { counted } from "../cli/print/figures.ts";
import type { Hint, HomeContext } from "./screen.ts";
import { ScrolledScreen } from "./scroll.ts";
import type { Size } from "./terminal.ts";

const MOST_COLUMNS = 140;
/** Number of places shown for each finding. */
const EVIDENCE = 5;

/** The output of `pollux insights`, starting at the selected finding. */
export class InsightsScreen extends ScrolledScreen {
  readonly title = "insights";
  readonly hints: readonly Hint[] = [
    ["↑↓", "scroll"],
    ["Esc", "back"],
    ["?", "keys"],
  ];
  readonly #answer: InsightsAnswer;
  /** Id of the finding to scroll to, until it is shown. */
  #goTo: string | undefined;

  constructor(home: HomeContext, answer: InsightsAnswer, findingId?: string) {
    super(home);
    this.#answer = answer;
    this.#goTo = findingId;
  }

  draw({ columns, rows }: Size): string[] {
    const { style, money } = this.home;
    const width = Math.min(columns - 3, MOST_COLUMNS);
    const lines = insightsLines(this.#answer, { columns: width, style, money, evidence: EVIDENCE });
    if (this.#goTo !== undefined) this.scroll.goTo(lines.findIndex((line) => this.#isHead(line)));
    this.#goTo = undefined;
    const { meant, read } = this.#answer.sessions;
    const basis = read < meant ? `${read} of ${counted(meant, "session")} ` : "";
    const head = endsOf(
      columns,
      [[" Insights", (text) => style.bold(text)]],
      [[basis, (text) => style.dim(text)]],
    );
    return [head, "", ...this.scroll.visible(lines, rows - 2).map((line) => ` ${line}`)];
  }

  #isHead(line: string): boolean {
    return this.#goTo !== undefined && line.includes(this.#goTo) && !line.startsWith(" ");
  }
}
