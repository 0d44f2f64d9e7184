import type { ByteSource } from "../../../kernel/bytes.ts";
import { walkLines } from "../../../kernel/json/lines.ts";
import { jsonWalk } from "../../../kernel/json/walk.ts";
import type { RolloutReader } from "../formats/lines.ts";
import { actOf, isIrrelevantToUsage, RECORD, timesOf } from "./fields.ts";

/**
 * Reads what usage needs without parsing the rest. Returns false if the file has to be read in
 * full: something is unusual, or its version has no turn ids to recognise forks by.
 */
export function skimRollout(bytes: ByteSource, reader: RolloutReader): boolean {
  const walk = jsonWalk();
  if (!walk) return false;
  const isWhole = walkLines(walk, { source: bytes, fields: RECORD }, (line) => {
    if (line.state !== "json" || !line.isUtf8) return false;
    const { number, start, end, row } = line;
    if (isIrrelevantToUsage(row)) {
      reader.pass();
      return true;
    }
    const place = { file: bytes.path, line: number, start, end };
    const act = actOf(row);
    // Without turn ids every line of a fork is needed, to recognise copied ones.
    if (act && act.kind === "counter" && !reader.namesTurns) return false;
    if (act === undefined) reader.record(row.value(), place);
    else reader.act(act, place, timesOf(row));
    return true;
  });
  return isWhole && reader.namesTurns;
}
