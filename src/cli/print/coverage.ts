import type { Coverage } from "../../queries/coverage.ts";
import { counted, exact } from "./figures.ts";
import type { Style } from "./style.ts";

/** What an answer rests on: the line below every list and report. */
export function coverageLine({ files, read, damaged }: Coverage, style: Style): string {
  const line = `${counted(files, "file")}, ${exact(read)} read`;
  if (damaged === 0) return style.dim(line);
  const damage = style.yellow(`${exact(damaged)} with damage`);
  return `${style.dim(`${line}, `)}${damage}${style.dim(": pollux doctor")}`;
}
