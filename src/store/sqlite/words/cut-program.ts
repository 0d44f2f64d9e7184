import type { Code, Operand, WasmFunction } from "../../../kernel/assembler.ts";
import {
  above,
  add,
  assemble,
  below,
  bitsOf,
  block,
  both,
  bothBytes,
  bytesBelow,
  bytesLess,
  call,
  chunkAt,
  codeOf,
  countOfBits,
  oneOf,
  differingBytes,
  eightOf,
  either,
  eitherBytes,
  fourOf,
  give,
  go,
  hasAny,
  isZero,
  loop,
  narrowed,
  narrowedSigns,
  never,
  numberAt,
  numberIn,
  putChunk,
  putNumber,
  putUnit,
  sameBytes,
  set,
  shiftDown,
  shiftUp,
  sixteen,
  subtract,
  timesEach,
  trailingZeroes,
  unitAt,
  unitsAbove,
  unless,
  when,
} from "../../../kernel/assembler.ts";
import {
  BOUNDS,
  FACTORS,
  FEW_UNITS,
  LETTERS,
  MASKS,
  NUMBERS,
  SHORT,
  SLOT_BYTES,
  TABLE,
  UNITS,
} from "./cut-memory.ts";

const within = (chunk: Operand, first: string, count: number): Code =>
  bytesBelow(bytesLess(chunk, sixteen(codeOf(first))), sixteen(count));
const advance = (count: Operand): Code => set("at", add("at", count));

/** Of sixteen units, there are seldom more bounds than these. */
const FEW_BOUNDS = 6;
const putBound = (into: string, offset = 0): Code[] => [
  putUnit(into, add("at", trailingZeroes("bounds")), offset),
  set("bounds", both("bounds", subtract("bounds", 1))),
];

/**
 * Sixteen units at a time become sixteen bytes: letters of ASCII in lower case, digits, 0 for what
 * stands between words, and 255 for other letters and signs. Where it changes between words and
 * gaps is noted; says where the notes end.
 */
const letters: WasmFunction = {
  name: "letters",
  parameters: ["length"],
  locals: ["at", "gaps", "before", "bounds", "start", "out", "more"],
  chunks: ["first", "second", "chunk"],
  body: [
    // Behind the end is a gap.
    putChunk(add(UNITS, shiftUp("length", 1)), sixteen(0)),
    putChunk(add(UNITS + 16, shiftUp("length", 1)), sixteen(0)),
    set("before", 1),
    set("start", BOUNDS),
    set("out", BOUNDS),
    loop(
      "on",
      set("first", chunkAt(add(UNITS, shiftUp("at", 1)))),
      set("second", chunkAt(add(UNITS + 16, shiftUp("at", 1)))),
      set("chunk", narrowed("first", "second")),
      set("chunk", eitherBytes("chunk", bothBytes(within("chunk", "A", 26), sixteen(codeOf(" "))))),
      set(
        "chunk",
        eitherBytes(
          bothBytes("chunk", eitherBytes(within("chunk", "a", 26), within("chunk", "0", 10))),
          narrowedSigns(unitsAbove("first", eightOf(127)), unitsAbove("second", eightOf(127))),
        ),
      ),
      putChunk(add(LETTERS, "at"), "chunk"),
      set("gaps", bitsOf(sameBytes("chunk", sixteen(0)))),
      set("bounds", both(oneOf("gaps", either(shiftUp("gaps", 1), "before")), 0xffff)),
      set("before", shiftDown("gaps", 15)),
      set("more", add("out", FEW_BOUNDS * 2)),
      set("out", add("out", shiftUp(countOfBits("bounds"), 1))),
      // How many cannot be foreseen: a few are put, whether they are there or not.
      ...Array.from({ length: FEW_BOUNDS }, (_, n) => n * 2).flatMap((offset) => {
        return putBound("start", offset);
      }),
      when(
        "bounds",
        loop("rest", ...putBound("more"), set("more", add("more", 2)), when("bounds", go("rest"))),
      ),
      set("start", "out"),
      advance(16),
      unless(above("at", "length"), go("on")),
    ),
    give("out"),
  ],
};

/**
 * Looks for a key of sixteen bytes: its slot, and what stands behind the key there; 0 where it is
 * free, to be filled by whoever asked.
 */
const lookUp: Code[] = [
  set("four", timesEach("key", fourOf(FACTORS))),
  set(
    "slot",
    shiftUp(
      shiftDown(
        oneOf(
          oneOf(numberIn("four", 0), numberIn("four", 1)),
          oneOf(numberIn("four", 2), numberIn("four", 3)),
        ),
        "shift",
      ),
      5,
    ),
  ),
  block(
    "found",
    loop(
      "probe",
      set("number", numberAt("slot", TABLE + 16)),
      unless(hasAny(differingBytes(chunkAt(add("slot", TABLE)), "key")), go("found")),
      when("number", set("slot", both(add("slot", SLOT_BYTES), "mask")), go("probe")),
    ),
    putChunk(add("slot", TABLE), "key"),
  ),
];

const put = (number: Operand): Code[] => [putNumber("out", number), set("out", add("out", 4))];

/** A stretch with other letters: its key are its units, and a sign that no word begins with. */
const stretch: Code[] = [
  when(
    below("length", FEW_UNITS + 1),
    set("key", chunkAt(add(UNITS, shiftUp("at", 1)))),
    set("key", bothBytes("key", chunkAt(add(MASKS, shiftUp("length", 5))))),
    set("key", eitherBytes("key", fourOf([0, 0, 0, -65_536]))),
    ...lookUp,
    when(
      "number",
      when(above("number", 1), ...put(numberAt("slot", TABLE + 20))),
      when(above("number", 2), ...put(numberAt("slot", TABLE + 24))),
      when(above("number", 3), ...put(numberAt("slot", TABLE + 28))),
      go("on"),
    ),
    set("out", call("stretch", "at", "length", "out", "slot")),
    go("on"),
  ),
  set("out", call("stretch", "at", "length", "out", -1)),
  go("on"),
];

/** Numbers of the words of a window; says where they end. */
const cut: WasmFunction = {
  name: "cut",
  parameters: ["end", "shift", "mask"],
  locals: ["bound", "bounds", "at", "out", "length", "slot", "number"],
  chunks: ["key", "four"],
  body: [
    set("bounds", call("letters", "end")),
    set("bound", BOUNDS),
    set("out", NUMBERS),
    loop(
      "on",
      unless(below("bound", "bounds"), give("out")),
      set("at", unitAt("bound")),
      set("length", subtract(unitAt("bound", 2), "at")),
      set("bound", add("bound", 4)),
      when(
        above("length", SHORT),
        set("out", call("stretch", "at", "length", "out", -1)),
        go("on"),
      ),
      set("key", chunkAt(add(LETTERS, "at"))),
      set("key", bothBytes("key", chunkAt(add(MASKS, shiftUp("length", 4))))),
      when(bitsOf("key"), ...stretch),
      ...lookUp,
      when(
        isZero("number"),
        set("number", add(call("learn", "at", "length"), 1)),
        putNumber("slot", "number", TABLE + 16),
      ),
      ...put(subtract("number", 1)),
      go("on"),
    ),
    never,
  ],
};

export function cutProgram(): Uint8Array<ArrayBuffer> {
  return assemble(
    [letters, cut],
    [
      { name: "learn", parameters: ["at", "length"] },
      { name: "stretch", parameters: ["at", "length", "out", "slot"] },
    ],
  );
}
