import type { Code, Operand, WasmFunction } from "../../model/assembler.ts";
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
  sameBytes,
  set,
  shiftDown,
  shiftUp,
  sixteen,
  subtract,
  timesEach,
  trailingZeroes,
  unitsAbove,
  when,
} from "../../model/assembler.ts";
import {
  FACTORS,
  FEW_UNITS,
  LETTERS,
  MASKS,
  NUMBERS,
  SLOT_BYTES,
  TABLE,
  UNITS,
} from "./cut-memory.ts";

const within = (chunk: Operand, first: string, count: number): Code =>
  bytesBelow(bytesLess(chunk, sixteen(codeOf(first))), sixteen(count));
const advance = (count: Operand): Code => set("at", add("at", count));

/**
 * Sixteen units at a time become sixteen bytes: letters of ASCII in lower case, digits, 0 for what
 * stands between words, and 255 for other letters and signs.
 */
const letters: WasmFunction = {
  name: "letters",
  parameters: ["length"],
  locals: ["at"],
  chunks: ["first", "second", "chunk"],
  body: [
    loop(
      "on",
      set("first", chunkAt(add(UNITS, shiftUp("at", 1)))),
      set("second", chunkAt(add(UNITS + 16, shiftUp("at", 1)))),
      set("chunk", narrowed("first", "second")),
      set("chunk", eitherBytes("chunk", bothBytes(within("chunk", "A", 26), sixteen(codeOf(" "))))),
      putChunk(
        add(LETTERS, "at"),
        eitherBytes(
          bothBytes("chunk", eitherBytes(within("chunk", "a", 26), within("chunk", "0", 10))),
          narrowedSigns(unitsAbove("first", eightOf(127)), unitsAbove("second", eightOf(127))),
        ),
      ),
      advance(16),
      when(below("at", "length"), go("on")),
    ),
    putChunk(add(LETTERS, "length"), sixteen(0)),
    give(0),
  ],
};

const gapsAt = (at: Operand): Code => bitsOf(sameBytes(chunkAt(add(LETTERS, at)), sixteen(0)));

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
      when(isZero(hasAny(differingBytes(chunkAt(add("slot", TABLE)), "key"))), go("found")),
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
      advance("length"),
      go("on"),
    ),
    set("out", call("stretch", "at", "length", "out", "slot")),
    advance("length"),
    go("on"),
  ),
  set("out", call("stretch", "at", "length", "out", -1)),
  advance("length"),
  go("on"),
];

/** Numbers of the words of a window; says where they end. */
const cut: WasmFunction = {
  name: "cut",
  parameters: ["end", "shift", "mask"],
  locals: ["at", "out", "gaps", "length", "slot", "number"],
  chunks: ["chunk", "key", "four"],
  body: [
    set("number", call("letters", "end")),
    set("out", NUMBERS),
    loop(
      "on",
      when(isZero(below("at", "end")), give("out")),
      set("chunk", chunkAt(add(LETTERS, "at"))),
      set("gaps", bitsOf(sameBytes("chunk", sixteen(0)))),
      // Nothing but gaps up to the next word.
      when(both("gaps", 1), advance(trailingZeroes(oneOf("gaps", 0x1_ffff))), go("on")),
      set("length", trailingZeroes(either("gaps", 0x1_0000))),
      when(
        isZero("gaps"),
        loop(
          "long",
          set("gaps", gapsAt(add("at", "length"))),
          set("length", add("length", trailingZeroes(either("gaps", 0x1_0000)))),
          when(isZero("gaps"), go("long")),
        ),
        set("out", call("stretch", "at", "length", "out", -1)),
        advance("length"),
        go("on"),
      ),
      set("key", bothBytes("chunk", chunkAt(add(MASKS, shiftUp("length", 4))))),
      when(bitsOf("key"), ...stretch),
      ...lookUp,
      when(
        isZero("number"),
        set("number", add(call("learn", "at", "length"), 1)),
        putNumber("slot", "number", TABLE + 16),
      ),
      ...put(subtract("number", 1)),
      // The next word, if it begins within these sixteen bytes.
      advance("length"),
      advance(trailingZeroes(shiftDown(oneOf("gaps", 0x1_ffff), "length"))),
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
