import type { ByteSource } from "../../../kernel/bytes.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { RolloutReader } from "./lines.ts";
import { actOf, isQuiet, RECORD, timesOf } from "./row.ts";

/**
 * Reads what sums need, without parsing all else. False when the file is to be read as it is:
 * something is unusual, or it is of a version whose forks can only be told line by line.
 */
export function skimRollout(bytes: ByteSource, reader: RolloutReader): boolean {
  const walk = jsonWalk();
  if (!walk) return false;
  const isWhole = walkLines(walk, { source: bytes, fields: RECORD }, (line) => {
    if (line.state !== "json") return false;
    const { number, start, end, row } = line;
    if (isQuiet(row)) {
      reader.pass();
      return true;
    }
    const place = { file: bytes.path, line: number, start, end };
    const act = actOf(row);
    // Without turns every line of a fork is needed, to tell what was copied.
    if (act && act.kind === "counter" && !reader.namesTurns) return false;
    if (act === undefined) reader.record(row.value(), place);
    else reader.act(act, place, timesOf(row));
    return true;
  });
  return isWhole && reader.namesTurns;
}
