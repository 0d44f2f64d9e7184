import type { Code, Operand, WasmFunction } from "../../../kernel/assembler.ts";
import {
  above,
  add,
  all,
  below,
  bitsOf,
  both,
  byteAt,
  bytesBelow,
  call,
  chunkAt,
  codeOf,
  either,
  equal,
  give,
  go,
  hasAny,
  isNegative,
  leastBytes,
  loop,
  never,
  not,
  numberAt,
  oneOf,
  otherBytes,
  putNumber,
  sameBytes,
  set,
  shiftDown,
  shiftUp,
  sixteen,
  subtract,
  trailingZeroes,
  unequal,
  unless,
  when,
} from "../../../kernel/assembler.ts";
import { BREAKS, ESCAPES } from "./layout.ts";

/** What every step says when this is no JSON, or nothing that is taken. */
export const BAD = -1;

export const isByte = (address: Operand, character: string): Code =>
  equal(byteAt(address), codeOf(character));
export const advance = (count: Operand): Code => set("at", add("at", count));
/** Mostly there is no white space to be passed. */
export const pass = (from: Operand): Code =>
  all(set("at", from), unless(above(byteAt("at"), codeOf(" ")), set("at", call("space", "at"))));
export const bad: Code = give(BAD);
/** Goes on where a step ended, if it ended well. */
export const step = (name: string, ...operands: Operand[]): Code =>
  all(set("at", call(name, ...operands)), when(isNegative("at"), bad));

/** The next byte that is no white space. Line breaks are counted, indents passed at once. */
const space: WasmFunction = {
  name: "space",
  parameters: ["at"],
  locals: ["byte"],
  body: [
    loop(
      "on",
      set("byte", byteAt("at")),
      when(above("byte", codeOf(" ")), give("at")),
      when(
        equal("byte", codeOf("\n")),
        putNumber(BREAKS, add(numberAt(BREAKS), 1)),
        advance(1),
        set("byte", bitsOf(otherBytes(chunkAt("at"), sixteen(codeOf(" "))))),
        advance(trailingZeroes(either("byte", 0x1_0000))),
        go("on"),
      ),
      unless(
        either(
          equal("byte", codeOf(" ")),
          either(equal("byte", codeOf("\t")), equal("byte", codeOf("\r"))),
        ),
        give("at"),
      ),
      advance(1),
      go("on"),
    ),
    never,
  ],
};

/** One bit for each of the 32 bytes in hand. */
const bitsOfBoth = (compare: (chunk: string) => Code): Code =>
  either(bitsOf(compare("low")), shiftUp(bitsOf(compare("high")), 16));
const bitsWith = (character: string): Code =>
  bitsOfBoth((chunk) => sameBytes(chunk, sixteen(codeOf(character))));
const EVERY_SECOND_BIT = 0xaaaa_aaaa | 0;

/**
 * Behind a text whose opening quote stands before `at`, 32 bytes at a time and without a branch for
 * each escape: of backslashes in a row, the first escapes the second, the third the fourth.
 *
 *     bytes    say \"s\n\\" …       backslashes that escape are found with a subtraction: it
 *     escaped  .....1..1.1.         carries through all that stand in a row
 *     end      ...........1         the first quote that is not escaped
 */
const text: WasmFunction = {
  name: "text",
  parameters: ["at"],
  locals: ["quotes", "slashes", "starts", "escaped", "carried", "end", "inside"],
  chunks: ["low", "high"],
  body: [
    loop(
      "on",
      set("low", chunkAt("at")),
      set("high", chunkAt("at", 16)),
      set("quotes", bitsWith('"')),
      set("slashes", bitsWith("\\")),
      // Backslashes that may escape; the first byte may be escaped from before.
      set("starts", both("slashes", not("carried"))),
      set("escaped", subtract(either(shiftUp("starts", 1), EVERY_SECOND_BIT), "starts")),
      set("escaped", oneOf("escaped", EVERY_SECOND_BIT)),
      set("starts", both("escaped", "slashes")),
      set("escaped", oneOf("escaped", either("slashes", "carried"))),
      set("carried", shiftDown("starts", 31)),
      set("end", both("quotes", not("escaped"))),
      // All bits below the first one of `end`; all, when there is none.
      set("inside", subtract(both("end", subtract(0, "end")), 1)),
      when(
        hasAny(bytesBelow(leastBytes("low", "high"), sixteen(codeOf(" ")))),
        when(
          both(
            "inside",
            bitsOfBoth((chunk) => bytesBelow(chunk, sixteen(codeOf(" ")))),
          ),
          bad,
        ),
      ),
      // Line breaks, quotes and backslashes are what is mostly escaped.
      set("escaped", both("escaped", "inside")),
      set("escaped", both("escaped", not(either(either("quotes", "slashes"), bitsWith("n"))))),
      when("escaped", unless(call("mayEscape", "at", "escaped"), bad)),
      when("end", give(add(add("at", trailingZeroes("end")), 1))),
      advance(32),
      go("on"),
    ),
    never,
  ],
};

/** Whether all bytes of these bits may follow a backslash. */
const mayEscape: WasmFunction = {
  name: "mayEscape",
  parameters: ["from", "bits"],
  locals: ["at", "byte"],
  body: [
    loop(
      "on",
      set("at", add("from", trailingZeroes("bits"))),
      set("byte", byteAt("at")),
      unless(
        byteAt(add(ESCAPES, "byte")),
        when(unequal("byte", codeOf("u")), give(0)),
        ...[1, 2, 3, 4].map((offset) => unless(call("isHex", byteAt("at", offset)), give(0))),
      ),
      set("bits", both("bits", subtract("bits", 1))),
      when("bits", go("on")),
    ),
    give(1),
  ],
};

const isHex: WasmFunction = {
  name: "isHex",
  parameters: ["byte"],
  body: [
    give(
      either(
        below(subtract("byte", codeOf("0")), 10),
        below(subtract(either("byte", 32), codeOf("a")), 6),
      ),
    ),
  ],
};

/** Behind digits, of which there must be one. */
const digits: WasmFunction = {
  name: "digits",
  parameters: ["at"],
  body: [
    unless(below(subtract(byteAt("at"), codeOf("0")), 10), bad),
    loop("on", advance(1), when(below(subtract(byteAt("at"), codeOf("0")), 10), go("on"))),
    give("at"),
  ],
};

const word = (first: string, rest: string): Code =>
  when(
    isByte("at", first),
    ...rest.split("").map((character, index) => {
      return when(unequal(byteAt("at", index + 1), codeOf(character)), bad);
    }),
    give(add("at", rest.length + 1)),
  );

/** Behind `true`, `false`, `null` or a number: `-12.5e+3`, without needless zeroes. */
const plain: WasmFunction = {
  name: "plain",
  parameters: ["at"],
  locals: ["byte"],
  body: [
    word("t", "rue"),
    word("f", "alse"),
    word("n", "ull"),
    when(isByte("at", "-"), advance(1)),
    set("byte", byteAt("at")),
    when(equal("byte", codeOf("0")), advance(1)),
    when(unequal("byte", codeOf("0")), step("digits", "at")),
    when(isByte("at", "."), step("digits", add("at", 1))),
    when(
      equal(either(byteAt("at"), 32), codeOf("e")),
      advance(1),
      when(either(isByte("at", "+"), isByte("at", "-")), advance(1)),
      step("digits", "at"),
    ),
    give("at"),
  ],
};

export const SCALARS: readonly WasmFunction[] = [space, text, mayEscape, isHex, digits, plain];
