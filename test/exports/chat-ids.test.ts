import fc from "fast-check";
import { expect, test } from "vitest";
import { UniqueIds } from "../../src/exports/chat-turns.ts";
import { isSafeTarget } from "../../src/exports/document/safe-markdown.ts";

test("UniqueIds gives distinct, reproducible ids of at most 40 characters", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 30 }), (recorded) => {
      const [first, again] = [new UniqueIds(), new UniqueIds()];
      const ids = recorded.map((id) => first.take(id));
      expect(ids.every((id) => /^[A-Za-z0-9_-]{1,40}$/.test(id))).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      expect(recorded.map((id) => again.take(id))).toEqual(ids);
    }),
  );
});

test.each([
  "//evil.example/x",
  String.raw`\\evil.example\x`,
  String.raw`/\evil.example`,
  "/etc/passwd",
  "notes.txt",
  "../x.html",
  "file:///etc/passwd",
  "C:/Users/ada",
  "javascript:alert(1)",
  "&#x2f;/evil.example",
  "%2f%2fevil.example",
])("a document does not link to %s", (target) => {
  expect(isSafeTarget(target)).toBe(false);
});

test.each(["https://example.org/a?b#c", "http://x", "mailto:ada@example.org", "#turn-3"])(
  "a document may link to %s",
  (target) => {
    expect(isSafeTarget(target)).toBe(true);
  },
);
