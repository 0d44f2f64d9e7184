import type { Schema } from "./cddl/compile.ts";
import { compileCddl } from "./cddl/compile.ts";
import type { Mismatch } from "./cddl/mismatch.ts";
import type { Cbor } from "./cbor.ts";
import type { LongList, RecordFile } from "./record-file.ts";
import { LONG_LISTS } from "./record-file.ts";

/** The rules of the schema file that are used by name. */
const RULES = { record: "record", signed: "signed-record" } as const;
const ELEMENT_RULES: Readonly<Record<LongList, string>> = {
  "session/entries": "entry",
  "session/x-native/acts": "act",
};

/** The schema of records. */
export class RecordSchema {
  readonly #schema: Schema;

  /** Takes the text of the schema file. */
  constructor(cddl: string) {
    this.#schema = compileCddl(cddl);
    for (const name of [...Object.values(RULES), ...Object.values(ELEMENT_RULES)]) {
      if (!this.#schema.ruleNames.includes(name)) throw new RangeError(`no rule ${name}`);
    }
  }

  /** The first mismatch of a record; long lists are checked element by element. */
  checkRecord(record: RecordFile): Mismatch | undefined {
    const mismatch = this.#schema.match(RULES.record, record.skeleton);
    if (mismatch) return mismatch;
    for (const list of LONG_LISTS) {
      const found = this.#checkList(record, list);
      if (found) return found;
    }
    return undefined;
  }

  checkSigned(message: Cbor): Mismatch | undefined {
    return this.#schema.match(RULES.signed, message);
  }

  #checkList(record: RecordFile, list: LongList): Mismatch | undefined {
    let index = 0;
    for (const element of record.elements(list)) {
      const mismatch = this.#schema.match(ELEMENT_RULES[list], element);
      if (mismatch) {
        return { path: `/${list}/${index}${mismatch.path}`, message: mismatch.message };
      }
      index += 1;
    }
    return undefined;
  }
}
