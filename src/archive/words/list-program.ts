import type { Code, Operand, WasmFunction } from "../../model/assembler.ts";
import {
  above,
  add,
  assemble,
  below,
  block,
  both,
  call,
  either,
  equal,
  give,
  go,
  isZero,
  loop,
  numberAt,
  putByte,
  putNumber,
  set,
  shiftDown,
  shiftUp,
  subtract,
  when,
} from "../../model/assembler.ts";
import {
  BEFORE,
  BEHIND,
  COUNT,
  FIRST,
  FIRST_STRETCH,
  FOLLOWING,
  FREE,
  FREE_END,
  LAST,
  LAST_STRETCH,
  LIMIT,
  MET,
  NEXT,
  POSITIONS,
  SIZE,
  STRETCH,
  TEXTS,
  TIMES,
  USED_END,
  WORDS,
} from "./list-memory.ts";

/** A further stretch for bytes that grow; says where it begins. */
const extend: WasmFunction = {
  name: "extend",
  parameters: ["bytes"],
  locals: ["start", "size", "limit"],
  body: [
    set("size", numberAt("bytes", STRETCH)),
    set("start", numberAt(FREE)),
    when(below("size", LAST_STRETCH), set("size", shiftUp("size", 1))),
    when(isZero("size"), set("size", FIRST_STRETCH)),
    when(
      above(add("start", "size"), numberAt(FREE_END)),
      set("limit", call("grow", add("start", "size"))),
    ),
    set("limit", numberAt("bytes", LIMIT)),
    when(isZero("limit"), putNumber("bytes", "start", FIRST)),
    when(
      "limit",
      putNumber("limit", "start", FOLLOWING),
      putNumber("limit", numberAt("bytes", NEXT), USED_END),
    ),
    putNumber(FREE, add("start", "size")),
    putNumber("bytes", "start", NEXT),
    putNumber("bytes", subtract(add("start", "size"), BEHIND), LIMIT),
    putNumber("bytes", "size", STRETCH),
    give("start"),
  ],
};

/** Where the next byte goes. */
const nextOf = (bytes: Operand): Code[] => [
  set("next", numberAt(bytes, NEXT)),
  when(isZero(below("next", numberAt(bytes, LIMIT))), set("next", call("extend", bytes))),
];

/** Any number, seven bits a byte; says how many bytes. */
const put: WasmFunction = {
  name: "put",
  parameters: ["bytes", "value"],
  locals: ["next", "start"],
  body: [
    ...nextOf("bytes"),
    set("start", "next"),
    loop(
      "on",
      when(
        above("value", 127),
        putByte("next", either(both("value", 127), 128)),
        set("value", shiftDown("value", 7)),
        set("next", add("next", 1)),
        go("on"),
      ),
    ),
    putByte("next", "value"),
    putNumber("bytes", add("next", 1), NEXT),
    give(add(subtract("next", "start"), 1)),
  ],
};

/** The text is over for a word: into its list. Three numbers or one, and most often a byte each. */
const close: Code[] = [
  set("step", shiftUp(subtract("text", numberAt("word", BEFORE)), 1)),
  set("times", numberAt("word", TIMES)),
  set("size", numberAt("word", SIZE)),
  set("isOne", equal("times", 1)),
  set("step", either("step", "isOne")),
  block(
    "closed",
    when(
      below(either(either("step", "times"), "size"), 128),
      ...nextOf(add("word", TEXTS)),
      // Which of both cannot be foreseen: hence no branch for it.
      putNumber("next", either(either("step", shiftUp("times", 8)), shiftUp("size", 16))),
      putNumber("word", subtract(add("next", 3), shiftUp("isOne", 1)), TEXTS + NEXT),
      go("closed"),
    ),
    set("next", call("put", add("word", TEXTS), "step")),
    when("isOne", go("closed")),
    set("next", call("put", add("word", TEXTS), "times")),
    set("next", call("put", add("word", TEXTS), "size")),
  ),
  putNumber("word", "text", BEFORE),
  putNumber("word", add(numberAt("word", COUNT), 1), COUNT),
  putNumber("word", 0, LAST),
  putNumber("word", 0, TIMES),
  putNumber("word", 0, SIZE),
];

/** A position: steps from the last one in this text. */
const place: Code[] = [
  set("step", subtract("position", numberAt("word", LAST))),
  putNumber("word", "position", LAST),
  ...nextOf(add("word", POSITIONS)),
  block(
    "placed",
    when(
      below("step", 1 << 14),
      // One byte or two: that cannot be foreseen either.
      set("size", above("step", 127)),
      putNumber(
        "next",
        either(either(both("step", 127), shiftUp("size", 7)), shiftUp(shiftDown("step", 7), 8)),
      ),
      set("size", add("size", 1)),
      putNumber("word", add("next", "size"), POSITIONS + NEXT),
      go("placed"),
    ),
    set("size", call("put", add("word", POSITIONS), "step")),
  ),
  putNumber("word", add(numberAt("word", SIZE), "size"), SIZE),
];

/**
 * The words of a text, whose numbers lie in `[from, end)`, into their lists. Which of them are met
 * is noted for when the text is over.
 */
const list: WasmFunction = {
  name: "list",
  parameters: ["from", "end", "text"],
  locals: [
    "at",
    "words",
    "met",
    "word",
    "position",
    "step",
    "next",
    "size",
    "times",
    "isOne",
    "metEnd",
  ],
  body: [
    set("at", "from"),
    set("words", numberAt(WORDS)),
    set("met", numberAt(MET)),
    set("metEnd", "met"),
    loop(
      "on",
      when(
        below("at", "end"),
        set("word", add("words", shiftUp(numberAt("at"), 6))),
        ...place,
        set("times", numberAt("word", TIMES)),
        putNumber("word", add("times", 1), TIMES),
        putNumber("metEnd", "word"),
        set("metEnd", add("metEnd", shiftUp(isZero("times"), 2))),
        set("position", add("position", 1)),
        set("at", add("at", 4)),
        go("on"),
      ),
    ),
    loop(
      "closing",
      when(
        below("met", "metEnd"),
        set("word", numberAt("met")),
        ...close,
        set("met", add("met", 4)),
        go("closing"),
      ),
    ),
    give(0),
  ],
};

export function listProgram(): Uint8Array<ArrayBuffer> {
  return assemble([extend, put, list], [{ name: "grow", parameters: ["end"] }]);
}
