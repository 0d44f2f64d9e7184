/**
 * The memory that the walk (program.ts) works on:
 *
 *     0     which bytes may follow a backslash
 *     256   how the objects and lists that are open will close
 *     512   how many line breaks were walked over
 *     1024  the names of wanted fields
 *     3072  two rows: where the values of the wanted fields of a record begin and end
 *     4096  the bytes of a file, and zeroes behind them
 */
export const ESCAPES = 0;
export const STACK = 256;
export const BREAKS = 512;
export const NAMES = 1024;
export const ROWS = 3072;
export const FIRST = 4096;

/** The fields of a record that are wanted, and those inside of them; the most frequent first. */
const FIELDS = [
  "id",
  "timestamp",
  "type",
  "content",
  "tokens",
  "model",
  "toolCalls",
  "$set",
  "sessionId",
  "projectHash",
  "startTime",
  "lastUpdated",
  "kind",
  "messages",
  "summary",
  "parts",
  "hasResumableContent",
  "firstUserMessage",
  "$rewindTo",
  "tokens.input",
  "tokens.output",
  "tokens.cached",
  "tokens.thoughts",
  "tokens.tool",
  "tokens.total",
  "$set.lastUpdated",
  "$set.sessionId",
  "$set.projectHash",
  "$set.startTime",
  "$set.kind",
  "$set.messages",
  "$set.summary",
  "$set.hasResumableContent",
  "$set.firstUserMessage",
] as const;
export type Field = (typeof FIELDS)[number];

/** Of each field, a row has two numbers of four bytes. */
const SLOT_BYTES = 8;
export const ROW_BYTES: number = FIELDS.length * SLOT_BYTES;

/** Where in a row the first of the two numbers of a field stands, counted in numbers. */
export function slotOf(field: Field): number {
  return FIELDS.indexOf(field) * 2;
}

/** A wanted name: its length (none: the last one), its slot, the names inside of it, its bytes. */
export const NAME = { length: 0, slot: 4, inside: 8, isOutside: 12, bytes: 16 } as const;
export const NAME_BYTES = 40;

/** What stands before the rows. */
export function writeTables(memory: WebAssembly.Memory): void {
  const bytes = Buffer.from(memory.buffer, 0, ROWS);
  for (const character of '"\\/bfnrt') bytes[ESCAPES + character.charCodeAt(0)] = 1;
  const inTokens = writeNames(bytes, NAMES + 20 * NAME_BYTES, { prefix: "tokens.", inside: {} });
  const inSet = writeNames(bytes, inTokens, { prefix: "$set.", inside: {} });
  const inside = { tokens: NAMES + 20 * NAME_BYTES, $set: inTokens };
  writeNames(bytes, NAMES, { prefix: "", inside });
  if (inSet > ROWS) throw new Error("There are more names than room for them.");
}

/** Says where they end. */
function writeNames(
  bytes: Buffer,
  from: number,
  { prefix, inside }: { prefix: string; inside: Readonly<Record<string, number>> },
): number {
  const fields = FIELDS.filter((field) => {
    return prefix === "" ? !field.includes(".") : field.startsWith(prefix);
  });
  fields.forEach((field, index) => {
    const at = from + index * NAME_BYTES;
    const name = field.slice(prefix.length);
    bytes.writeInt32LE(name.length, at + NAME.length);
    bytes.writeInt32LE(FIELDS.indexOf(field) * SLOT_BYTES, at + NAME.slot);
    bytes.writeInt32LE(inside[name] ?? 0, at + NAME.inside);
    bytes.writeInt32LE(field === "messages" ? 1 : 0, at + NAME.isOutside);
    bytes.write(name, at + NAME.bytes, "latin1");
  });
  return from + (fields.length + 1) * NAME_BYTES;
}
