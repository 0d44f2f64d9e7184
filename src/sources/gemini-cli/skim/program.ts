import type { Code, WasmFunction } from "../../../kernel/assembler.ts";
import {
  above,
  add,
  assemble,
  below,
  block,
  byteAt,
  call,
  clear,
  codeOf,
  equal,
  give,
  go,
  isNegative,
  loop,
  never,
  numberAt,
  putByte,
  putNumber,
  set,
  subtract,
  unequal,
  unless,
  when,
} from "../../../kernel/assembler.ts";
import { NAME, NAME_BYTES, NAMES, ROW_BYTES, STACK } from "./layout.ts";
import { advance, bad, isByte, pass, SCALARS, step } from "./scalars.ts";

/** Deeper values are left to the reader. */
const MAX_DEPTH = 190;

/** From the key of a field to its value. */
const key: WasmFunction = {
  name: "key",
  parameters: ["at"],
  body: [
    unless(isByte("at", '"'), bad),
    step("text", add("at", 1)),
    pass("at"),
    unless(isByte("at", ":"), bad),
    give(call("space", add("at", 1))),
  ],
};

const top: Code = byteAt(add(STACK, "depth"));
/** One level deeper, and on with `inside`, unless it is closed at once. */
const openWith = (close: string, inside: Code): Code[] => [
  set("depth", add("depth", 1)),
  when(above("depth", MAX_DEPTH), bad),
  putByte(add(STACK, "depth"), codeOf(close)),
  pass(add("at", 1)),
  unless(isByte("at", close), inside),
  go("closed"),
];

/** Behind the value that begins here, whatever is in it. Remembers how what is open will close. */
const value: WasmFunction = {
  name: "value",
  parameters: ["at"],
  locals: ["depth", "byte"],
  body: [
    loop(
      "value",
      block(
        "behind",
        block(
          "closed",
          block(
            "key",
            set("byte", byteAt("at")),
            when(equal("byte", codeOf('"')), step("text", add("at", 1)), go("behind")),
            when(equal("byte", codeOf("{")), ...openWith("}", go("key"))),
            when(equal("byte", codeOf("[")), ...openWith("]", go("value"))),
            step("plain", "at"),
            go("behind"),
          ),
          step("key", "at"),
          go("value"),
        ),
        advance(1),
        set("depth", subtract("depth", 1)),
      ),
      loop(
        "next",
        unless("depth", give("at")),
        pass("at"),
        set("byte", byteAt("at")),
        when(
          equal("byte", codeOf(",")),
          pass(add("at", 1)),
          when(equal(top, codeOf("}")), step("key", "at")),
          go("value"),
        ),
        when(unequal("byte", top), bad),
        advance(1),
        set("depth", subtract("depth", 1)),
        go("next"),
      ),
    ),
    never,
  ],
};

/** The wanted name that a key is, or none; a key with a backslash may be any. */
const find: WasmFunction = {
  name: "find",
  parameters: ["key", "length", "name"],
  locals: ["at"],
  body: [
    loop(
      "names",
      block(
        "other",
        unless(numberAt("name", NAME.length), go("other")),
        when(unequal(numberAt("name", NAME.length), "length"), go("other")),
        set("at", 0),
        loop(
          "bytes",
          when(
            unequal(byteAt(add("key", "at")), byteAt(add("name", "at"), NAME.bytes)),
            go("other"),
          ),
          set("at", add("at", 1)),
          when(below("at", "length"), go("bytes")),
        ),
        give("name"),
      ),
      set("name", add("name", NAME_BYTES)),
      when(numberAt("name", NAME.length), go("names")),
    ),
    set("at", 0),
    loop(
      "bytes",
      when(isByte(add("key", "at"), "\\"), bad),
      set("at", add("at", 1)),
      when(below("at", "length"), go("bytes")),
    ),
    give(0),
  ],
};

/** Of a wanted field: where its value is, and what is wanted inside of it. */
const wanted: WasmFunction = {
  name: "wanted",
  parameters: ["at", "name", "row"],
  locals: ["slot", "inside"],
  body: [
    set("slot", add("row", numberAt("name", NAME.slot))),
    // It was given before.
    when(numberAt("slot"), bad),
    putNumber("slot", "at"),
    set("inside", numberAt("name", NAME.inside)),
    unless(isByte("at", "{"), set("inside", 0)),
    block(
      "done",
      when("inside", step("fields", "at", "inside", "row"), go("done")),
      when(numberAt("name", NAME.isOutside), step("messages", "at"), go("done")),
      step("value", "at"),
    ),
    putNumber("slot", "at", 4),
    give("at"),
  ],
};

/** Behind an object, of which the wanted fields are put into a row. */
const fields: WasmFunction = {
  name: "fields",
  parameters: ["at", "names", "row"],
  locals: ["key", "name"],
  body: [
    unless(isByte("at", "{"), bad),
    pass(add("at", 1)),
    when(isByte("at", "}"), give(add("at", 1))),
    loop(
      "on",
      unless(isByte("at", '"'), bad),
      set("key", add("at", 1)),
      step("text", "key"),
      set("name", call("find", "key", subtract(subtract("at", 1), "key"), "names")),
      when(isNegative("name"), bad),
      pass("at"),
      unless(isByte("at", ":"), bad),
      pass(add("at", 1)),
      block(
        "done",
        when("name", step("wanted", "at", "name", "row"), go("done")),
        step("value", "at"),
      ),
      pass("at"),
      when(isByte("at", "}"), give(add("at", 1))),
      unless(isByte("at", ","), bad),
      pass(add("at", 1)),
      go("on"),
    ),
    never,
  ],
};

/** Behind a record; what is wanted of it stands in the row. */
const record: WasmFunction = {
  name: "record",
  parameters: ["at", "row"],
  body: [clear("row", ROW_BYTES), give(call("fields", "at", NAMES, "row"))],
};

/** The walk over JSON, as strict as a parser. Lists of messages are walked over from outside. */
export function walkProgram(): Uint8Array<ArrayBuffer> {
  const functions = [...SCALARS, key, value, find, wanted, fields, record];
  return assemble(functions, [{ name: "messages", parameters: ["at"] }]);
}
