import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { withoutValue, withValue } from "../../src/sources/json-edit.ts";

const PATHS = [
  ["mcpServers", "pollux"],
  ["hooks", "SessionEnd", 0],
] as const;
const value = { command: "/opt/a b/node", args: ["mcp"] };

test.each([
  "{}",
  "{}\n",
  '{"mcpServers": {}, "hooks": {"SessionEnd": []}}',
  '{"mcpServers": {}}',
  '{ "mcpServers" : { } , "hooks": {} }\n',
  '{"theme":"dark"}',
  '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n\t},\n}\n',
  '{\r\n  // mine\r\n  "theme": "dark" // why\r\n}\r\n',
  '{\n    "hooks": {"SessionEnd": []},\n    "mcpServers": {\n    }\n}',
])("a value put into %j is removed again, byte for byte", (text) => {
  for (const path of PATHS) {
    const more = withValue(text, [...path], value);
    const errors: unknown[] = [];
    const parsed: unknown = parse(more, errors as never[], { allowTrailingComma: true });
    expect(errors).toEqual([]);
    expect(parsed).not.toEqual(parse(text, [], { allowTrailingComma: true }));
    expect(withoutValue(more, [...path])).toBe(text);
  }
});

test("a value put into any settings in any layout is removed again", () => {
  const settings = fc.dictionary(
    fc.constantFrom("theme", "mcpServers", "hooks", "a"),
    fc.dictionary(fc.constantFrom("other", "SessionStart", "b"), fc.jsonValue({ maxDepth: 2 })),
  );
  const space = fc.constantFrom(0, 2, 4, "\t");
  fc.assert(
    fc.property(settings, space, fc.constantFrom("", "\n"), (object, indent, end) => {
      const text = JSON.stringify(object, null, indent) + end;
      for (const path of PATHS) {
        const more = withValue(text, [...path], value);
        expect(JSON.parse(more)).toMatchObject({ [path[0]]: expect.anything() as unknown });
        expect(withoutValue(more, [...path])).toBe(text);
      }
    }),
  );
});

test("a file created for the value becomes empty again", () => {
  for (const path of PATHS)
    expect(withoutValue(withValue("", [...path], value), [...path])).toBe("");
});
