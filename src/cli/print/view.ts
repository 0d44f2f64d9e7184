import type { MoneyFormat } from "./money.ts";
import type { Style } from "./style.ts";

/** What an answer is printed with. */
export interface View {
  columns: number;
  style: Style;
}

export interface MoneyView extends View {
  money: MoneyFormat;
}

/** For answers with times, which are printed relative to now. */
export interface DatedView extends View {
  now: Date;
}
