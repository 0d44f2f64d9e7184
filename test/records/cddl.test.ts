import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileCddl } from "../../src/records/cddl/compile.ts";
import type { Schema } from "../../src/records/cddl/compile.ts";
import { CddlFault } from "../../src/records/cddl/syntax.ts";
import { encodeCbor } from "../../src/records/cbor.ts";
import { CborTag } from "../../src/records/cbor.ts";
import { parseExact } from "../../src/records/json/parse.ts";

const json = (text: string) => parseExact(text);
const fits = (schema: string, text: string) =>
  compileCddl(`start = ${schema}`).match("start", json(text)) === undefined;

describe("a CDDL schema", () => {
  it.each([
    ["int", "1", "1.0"],
    ["uint", "0", "-1"],
    ["uint", "18446744073709551615", "18446744073709551616"],
    ["nint", "-1", "0"],
    ["float", "1.0", "1"],
    ["number", "1.5", '"1.5"'],
    ["text", '"a"', "1"],
    ["bool", "true", "null"],
    ["true", "true", "false"],
    ["null", "null", "false"],
    ['"a" / "b"', '"b"', '"c"'],
    ["1..3", "3", "4"],
    ["1...3", "2", "3"],
    ["uint .ge 1", "1", "0"],
    ["uint .lt 3", "2", "3"],
    ["text .size 2", '"é"', '"e"'],
    ["text .size (1..2)", '"e"', '"eee"'],
    ['text .regexp "[a-c]+"', '"abc"', '"abcd"'],
    ["[* int]", "[1,2]", '[1,"2"]'],
    ["[+ int]", "[1]", "[]"],
    ["[2*3 int]", "[1,2,3]", "[1,2,3,4]"],
    ["[2*3 int]", "[1,2]", "[1]"],
    ["[int, ? text]", '[1,"a"]', '[1,"a","b"]'],
    ["[int // text, text]", '["a","b"]', '["a"]'],
    ["[* (int, text)]", '[1,"a",2,"b"]', '[1,"a",2]'],
    ["[* { x: int }, { x: text }]", '[{"x":1},{"x":"a"}]', '[{"x":1},{"x":null}]'],
    ["{ a: int }", '{"a":1}', '{"a":1,"b":2}'],
    ["{ a: int }", '{"a":1}', "{}"],
    ["{ ? a: int, * text => any }", '{"b":{}}', '{"a":"x"}'],
    ["{ ? a: int // b: int }", '{"b":1}', '{"a":1,"b":1}'],
    ["{ * text => int }", '{"a":1,"b":2}', '{"a":1,"b":"2"}'],
    ["{ 2*2 text => int }", '{"a":1,"b":2}', '{"a":1}'],
    ["{ (a: int, b: int) }", '{"a":1,"b":2}', '{"a":1}'],
    ["{ ? (a: int, b: int) }", "{}", '{"a":1}'],
  ])("%s accepts %s and refuses %s", (schema, good, bad) => {
    expect(fits(schema, good)).toBe(true);
    expect(fits(schema, bad)).toBe(false);
  });

  it("implements cuts: a known key with a wrong value does not match the wildcard", () => {
    expect(fits("{ ? a: int, * text => any }", '{"a":"x"}')).toBe(false);
    expect(fits('{ ? "a" => int, * text => any }', '{"a":"x"}')).toBe(true);
    expect(fits('{ ? "a" ^ => int, * text => any }', '{"a":"x"}')).toBe(false);
  });

  it("supports named groups and recursion through lists", () => {
    const schema = compileCddl(
      "tree = { common, ? kids: [* tree] }\ncommon = ( name: text, ? at: uint )",
    );
    expect(schema.match("tree", json('{"name":"a","kids":[{"name":"b","at":1}]}'))).toBeUndefined();
    expect(schema.match("tree", json('{"name":"a","kids":[{"name":"b","at":-1}]}'))).toEqual({
      path: "/kids/0/at",
      message: "expected uint, found -1",
    });
  });

  it("matches CBOR: tags, integer keys, bytes, embedded items", () => {
    const schema = compileCddl("s = #6.18([bytes .cbor { 1 ^ => int }, bytes .size 2, null])");
    const inner = encodeCbor(new Map([[1, -7]]));
    const good = new CborTag(18, [inner, Buffer.from("ab"), null]);
    expect(schema.match("s", good)).toBeUndefined();
    expect(schema.match("s", new CborTag(17, good.value))?.message).toContain("tag 18");
    const odd = encodeCbor(new Map([[1, "x"]]));
    expect(schema.match("s", new CborTag(18, [odd, Buffer.from("ab"), null]))?.path).toBe("/0/1");
    const cut = Buffer.from(inner.subarray(0, 2));
    expect(schema.match("s", new CborTag(18, [cut, Buffer.from("ab"), null]))?.message).toContain(
      "not enough entries",
    );
  });

  it("reports errors of the intended alternative", () => {
    const schema = compileCddl(
      'e = a / b\na = { type: "a", x: int }\nb = { type: "b", name: text }',
    );
    const described = (text: string) => schema.match("e", json(text));
    expect(described('{"type":"b"}')).toEqual({
      path: "",
      message: 'the member "name" is missing',
    });
    expect(described('{"type":"b","name":null}')?.path).toBe("/name");
    expect(described('{"type":"c"}')?.message).toBe('expected "a" or "b", found "c"');
  });
});

describe("compiling refuses unsupported syntax", () => {
  it.each([
    ["a = b", "b is not defined"],
    ["a = tdate", "tdate is not defined"],
    ['a = text .pcre "x"', ".pcre is not supported"],
    ['a = text .default "x"', ".default is not supported"],
    ["a<t> = [t]", "generic rules"],
    ["a = ~b\nb = int", "unwrapping"],
    ["a = &(x: 1)", "turning a group into a choice"],
    ["a = #1.2", "major types"],
    ["a = int\na = text", "defined twice"],
    ["int = text", "a name of CDDL itself"],
    ["a = int\na /= text", "adding to a type"],
    ["$a = int", "sockets"],
    ["a = g\ng = (x: int)", "is a group, not a type"],
    ["a = b / int\nb = a", "leads back to itself"],
    ['a = text .regexp "["', "the pattern"],
    ["a = text .regexp 1", ".regexp wants a text"],
    ["a = uint .ge text", ".ge wants an integer"],
    ["a = { x: int", "was expected"],
    ["a = 1.5..2.5", "ranges of integers"],
    ["", "it has no rules"],
    ["a = \u0001", "is not understood"],
  ])("%j", (text, reason) => {
    expect(() => compileCddl(text)).toThrow(CddlFault);
    expect(() => compileCddl(text)).toThrow(reason);
  });

  it("with line and column", () => {
    expect(() => compileCddl("a = int\nb = [\n  c\n]")).toThrow(
      "line 3, column 3: c is not defined",
    );
  });
});

const schema: Schema = compileCddl(readFileSync("schemas/record.cddl", "utf8"));

describe("the schema of records", () => {
  it("compiles", () => {
    expect(schema.ruleNames).toContain("record");
  });
});
