import type { Coverage } from "../../queries/coverage.ts";
import { counted, exact } from "./figures.ts";
import { widthOf, wrap } from "./width.ts";
import type { View } from "./view.ts";

const [COPY, COPIES] = ["copied reply", "copied replies"];

/** The files that an answer is based on, printed below every list and report. */
export function coverageLines(
  { files, read, damaged, unequalCopies = 0 }: Coverage,
  { style, columns }: View,
): string[] {
  const line = `${counted(files, "file")}, ${exact(read)} read`;
  const remarks = [
    ...(damaged > 0 ? [`${exact(damaged)} with damage`] : []),
    ...(unequalCopies > 0 ? [`${counted(unequalCopies, COPY, COPIES)} not counted`] : []),
  ];
  if (remarks.length === 0) return [style.dim(line)];
  const damage = remarks.join(", ");
  const whole = `${line}, ${damage}: pollux doctor`;
  if (widthOf(whole) > columns) return wrap(whole, columns).map((part) => style.yellow(part));
  return [`${style.dim(`${line}, `)}${style.yellow(damage)}${style.dim(": pollux doctor")}`];
}
