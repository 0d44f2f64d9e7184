// @module-tag slow
import { expect, test } from "vitest";
import { compactJson, prettyJson } from "../../src/exports/json-text.ts";

test.each([compactJson, prettyJson])("rejects values that are too large: %o", (write) => {
  let deep: unknown = "bottom";
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(() => write(deep)).toThrow(expect.objectContaining({ code: "too-large" }));
  const long = "x".repeat(300 << 20);
  expect(() => write({ text: long, typed: long })).toThrow(
    expect.objectContaining({ code: "too-large" }),
  );
});
