import type { Code, Operand, WasmFunction } from "../../../kernel/assembler.ts";
import {
  above,
  add,
  assemble,
  below,
  block,
  both,
  call,
  clear,
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
  unless,
  when,
} from "../../../kernel/assembler.ts";
import {
  BEFORE,
  BEGIN,
  BEHIND,
  COUNT,
  FIRST_STRETCH,
  FOLLOWING,
  FREE,
  FREE_END,
  HEAD_BYTES,
  LAST,
  LAST_STRETCH,
  LIMIT,
  MET,
  NEXT,
  PLACES,
  POSITIONS,
  STRETCH,
  TEXTS,
  TIMES,
  USED_END,
  WORD_BYTES,
} from "./list-memory.ts";

/** Memory that was free. */
const take: WasmFunction = {
  name: "take",
  parameters: ["size"],
  locals: ["start", "end"],
  body: [
    set("start", numberAt(FREE)),
    set("end", add("start", "size")),
    putNumber(FREE, "end"),
    when(above("end", numberAt(FREE_END)), set("end", call("grow", "end"))),
    give("start"),
  ],
};

/** A word that was not met before; says where it is told of. */
const meet: WasmFunction = {
  name: "meet",
  parameters: ["place"],
  locals: ["word", "start"],
  body: [
    set("word", call("take", WORD_BYTES)),
    putNumber("place", "word"),
    clear("word", HEAD_BYTES),
    ...[POSITIONS, TEXTS].flatMap((bytes, at) => [
      set("start", add("word", HEAD_BYTES + FIRST_STRETCH * at)),
      putNumber("word", "start", bytes + NEXT),
      putNumber("word", add("start", FIRST_STRETCH - BEHIND), bytes + LIMIT),
      putNumber("word", FIRST_STRETCH, bytes + STRETCH),
      putNumber("word", "start", bytes + BEGIN),
    ]),
    give("word"),
  ],
};

/** A further stretch for bytes that grow; says where it begins. */
const extend: WasmFunction = {
  name: "extend",
  parameters: ["bytes"],
  locals: ["start", "size", "limit", "next"],
  body: [
    set("size", numberAt("bytes", STRETCH)),
    when(below("size", LAST_STRETCH), set("size", shiftUp("size", 1))),
    set("start", call("take", "size")),
    set("limit", numberAt("bytes", LIMIT)),
    set("next", numberAt("bytes", NEXT)),
    putNumber("limit", "start", FOLLOWING),
    putNumber("limit", "next", USED_END),
    putNumber("bytes", "start", NEXT),
    putNumber("bytes", subtract(add("start", "size"), BEHIND), LIMIT),
    putNumber("bytes", "size", STRETCH),
    putNumber("bytes", subtract("start", subtract("next", numberAt("bytes", BEGIN))), BEGIN),
    give("start"),
  ],
};

/** Where the next byte goes. */
const nextOf = (bytes: Operand): Code[] => [
  set("next", numberAt(bytes, NEXT)),
  unless(below("next", numberAt(bytes, LIMIT)), set("next", call("extend", bytes))),
];

/** Any number, seven bits a byte; says where the next one goes. */
const put: WasmFunction = {
  name: "put",
  parameters: ["bytes", "value"],
  locals: ["next"],
  body: [
    ...nextOf("bytes"),
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
    set("next", add("next", 1)),
    putNumber("bytes", "next", NEXT),
    give("next"),
  ],
};

/** The text is over for a word: into its list. Three numbers or one, and most often a byte each. */
const close: Code[] = [
  set("step", shiftUp(subtract("text", numberAt("word", BEFORE)), 1)),
  set("times", numberAt("word", TIMES)),
  set("next", numberAt("word", POSITIONS + NEXT)),
  set("size", subtract("next", numberAt("word", POSITIONS + BEGIN))),
  putNumber("word", "next", POSITIONS + BEGIN),
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
      set("isTwo", above("step", 127)),
      putNumber(
        "next",
        either(either(both("step", 127), shiftUp("isTwo", 7)), shiftUp(shiftDown("step", 7), 8)),
      ),
      putNumber("word", add(add("next", 1), "isTwo"), POSITIONS + NEXT),
      go("placed"),
    ),
    set("next", call("put", add("word", POSITIONS), "step")),
  ),
];

const NUMBERS_OF_WORD = ["position", "step", "next", "size", "times", "isOne", "isTwo"];

/**
 * The words of a text, whose numbers lie in `[from, end)`, into their lists. Which of them are met
 * is noted for when the text is over.
 */
const list: WasmFunction = {
  name: "list",
  parameters: ["from", "end", "text"],
  locals: ["at", "places", "place", "met", "metEnd", "word", ...NUMBERS_OF_WORD],
  body: [
    set("at", "from"),
    set("places", numberAt(PLACES)),
    set("met", numberAt(MET)),
    set("metEnd", "met"),
    loop(
      "on",
      when(
        below("at", "end"),
        set("place", add("places", shiftUp(numberAt("at"), 2))),
        set("word", numberAt("place")),
        unless("word", set("word", call("meet", "place"))),
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
  return assemble([take, meet, extend, put, list], [{ name: "grow", parameters: ["end"] }]);
}
