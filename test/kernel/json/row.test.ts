import { describe, expect, test } from "vitest";
import { walkValue } from "../../../src/kernel/json/document.ts";
import { Fields } from "../../../src/kernel/json/fields.ts";
import type { Row } from "../../../src/kernel/json/row.ts";
import { RepeatedTexts } from "../../../src/kernel/json/row.ts";
import type { JsonWalk } from "../../../src/kernel/json/walk.ts";
import { jsonWalk, releaseJsonWalk } from "../../../src/kernel/json/walk.ts";

const FIELDS = new Fields(["id", "type", "tokens", "tokens/input", "message/id", "sessionId"]);

function theWalk(): JsonWalk {
  const walk = jsonWalk();
  if (!walk) throw new Error("This processor cannot run the walk.");
  return walk;
}

function walked(text: string): Row | undefined {
  return walkValue(theWalk(), Buffer.from(text), FIELDS)?.row;
}

describe("values of a row", () => {
  test("returns text, count, kind, emptiness and raw bytes", () => {
    const row = walked('{"id":"a","type":"\\u00e9é","tokens":{"input":12 },"message":{"id":[ ]}}');
    if (!row) throw new Error("It is JSON.");
    const [id, type, input] = [FIELDS.slot("id"), FIELDS.slot("type"), FIELDS.slot("tokens/input")];
    expect([row.text(id), row.text(type), row.count(input)]).toEqual(["a", "éé", 12]);
    expect([row.count(id), row.text(input), row.text(FIELDS.slot("sessionId"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(row.raw(FIELDS.slot("tokens")).toString()).toBe('{"input":12 }');
    expect(row.isObject(FIELDS.slot("tokens"))).toBe(true);
    expect(row.isEmpty(FIELDS.slot("message/id"))).toBe(true);
    expect(row.isEmpty(FIELDS.slot("tokens"))).toBe(false);
    expect(row.kind(FIELDS.slot("message/id"))).toBe("list");
    expect(row.kind(FIELDS.slot("sessionId"))).toBeUndefined();
  });

  test("counts have no sign, no decimal point and at most 15 digits", () => {
    const counts = [
      "0",
      "7",
      "999999999999999",
      "1000000000000000",
      "-1",
      "1.0",
      "1e3",
      '"1"',
      "null",
    ];
    const found = counts.map((text) => walked(`{"id":${text}}`)?.count(FIELDS.slot("id")));
    expect(found).toEqual([
      0,
      7,
      999_999_999_999_999,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });

  test("isText compares ASCII strings without escapes", () => {
    const isText = (json: string, text: string): boolean | undefined => {
      return walked(`{"id":${json}}`)?.isText(FIELDS.slot("id"), text);
    };
    expect([isText('"abc"', "abc"), isText('""', "")]).toEqual([true, true]);
    const others = [isText('"abd"', "abc"), isText('"abcd"', "abc"), isText("123", "2")];
    // An escape, a string whose bytes are these characters, and a missing value.
    others.push(isText('"a\\bc"', "a\\bc"), isText('"é"', "Ã©"), isText('"abc","id":null', ""));
    expect(others).toEqual(others.map(() => false));
  });

  test("RepeatedTexts returns the same text for repeated values", () => {
    const texts = new RepeatedTexts();
    const slot = FIELDS.slot("id");
    const ask = (value: unknown): string | undefined => {
      const row = walked(JSON.stringify({ id: value }));
      return row && texts.of(row, slot);
    };
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 100; at += 1) expect(ask(`größe-${at % 80}`)).toBe(`größe-${at % 80}`);
    }
    expect([ask(5), ask(undefined), ask("")]).toEqual([undefined, undefined, ""]);
  });
});

describe("elements of a list", () => {
  const MESSAGE = new Fields(["id", "tokens/input"]);
  const DOCUMENT = new Fields(["sessionId", "messages"], { messages: MESSAGE });

  function visited(text: string): { ids: unknown[]; lines: number[]; isWhole: boolean } {
    const document = walkValue(theWalk(), Buffer.from(text), DOCUMENT);
    const ids: unknown[] = [];
    const lines: number[] = [];
    for (const element of document?.elements() ?? []) {
      ids.push(element.value(MESSAGE.slot("id")));
      lines.push(element.line);
    }
    return { ids, lines, isWhole: document !== undefined };
  }

  test("are visited in order, with their line numbers", () => {
    const list = [{ id: "a", tokens: { input: 1 } }, 5, [], { id: ["b"] }, {}];
    const text = JSON.stringify({ sessionId: "s", messages: list, x: { messages: [1] } }, null, 2);
    expect(visited(text)).toEqual({
      ids: ["a", undefined, undefined, ["b"], undefined],
      lines: [4, 10, 11, 12, 17],
      isWhole: true,
    });
    const none = { ids: [], lines: [], isWhole: true };
    expect(visited('{"messages":[ ]}')).toEqual(none);
    expect(visited('{"messages":{"id":"a"}}')).toEqual(none);
    expect(visited('{"other":[{"id":"a"}]}')).toEqual(none);
  });

  test("are not visited if the list is repeated or malformed", () => {
    expect(visited('{"messages":[{"id":"a"}],"messages":[]}').isWhole).toBe(false);
    for (const text of ["[{}", "[{},]", "[,{}]", '[{"id":1]', "[{} {}]"]) {
      expect(visited(`{"messages":${text}}`).isWhole, text).toBe(false);
    }
  });

  test("are also part of the document", () => {
    const document = walkValue(theWalk(), Buffer.from('{"messages":[2,3]}'), DOCUMENT);
    expect(document?.row.value(DOCUMENT.slot("messages"))).toEqual([2, 3]);
  });

  test("a document with more elements than there is room for is declined", () => {
    const isWalked = (count: number): boolean => {
      return visited(`{"messages":[${"1,".repeat(count)}1]}`).isWhole;
    };
    expect([isWalked(1000), isWalked(1_000_000)]).toEqual([true, false]);
  });
});

describe("memory of the walk", () => {
  test("grows with the input and is released", () => {
    const walk = theWalk();
    const text = `{"id":"${"a".repeat(5_000_000)}"}`;
    expect(walked(text)?.text(FIELDS.slot("id"))?.length).toBe(5_000_000);
    expect(walked('{"id":"b"}')?.text(FIELDS.slot("id"))).toBe("b");
    expect(walk.heldBytes).toBeGreaterThan(5_000_000);
    releaseJsonWalk();
    expect(theWalk().heldBytes).toBeLessThan(1_000_000);
    expect(walked('{"id":"c"}')?.text(FIELDS.slot("id"))).toBe("c");
  });

  test("does not read past the end of the input", () => {
    expect(walked('{"id":"abc"}')).toBeDefined();
    expect(walked('{"id":"ab')).toBeUndefined();
    expect(walked('{"id":1')).toBeUndefined();
  });

  test("rejects too many, too long and non-ASCII fields", () => {
    const learn = (fields: Fields): unknown => walkValue(theWalk(), Buffer.from("{}"), fields);
    const learnMany = (): void => {
      for (let at = 0; at < 1000; at += 1) {
        learn(new Fields(Array.from({ length: 20 }, (_item, key) => `key-${at}/${key}`)));
      }
    };
    expect(learnMany).toThrow("more wanted fields than room");
    releaseJsonWalk();
    expect(() => new Fields(["größe"])).toThrow("not ASCII");
    expect(() => learn(new Fields(["a".repeat(97)]))).toThrow("too long");
  });
});
