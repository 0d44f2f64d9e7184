import { expect, test } from "vitest";
import { syntaxOfText } from "./syntax.ts";

const sample = `
import type { A } from "./a.ts";
import { b } from "../replay/b.ts";
export * from "./c.ts";
// console.log("a comment is free")
const lazy = await import("node:sqlite");
console.log(Date.now(), new Date(), new Date(5));
process.exit(1);
const text = \`select * from \${b}\`;
`;

test("the rules check syntax nodes, not comments", () => {
  const syntax = syntaxOfText(sample, "sample.ts");
  expect(syntax.imports).toEqual([
    { from: "./a.ts", isTypeOnly: true },
    { from: "../replay/b.ts", isTypeOnly: false },
    { from: "./c.ts", isTypeOnly: false },
    { from: "node:sqlite", isTypeOnly: false },
  ]);
  expect(syntax.members).toEqual(["console.log", "Date.now", "process.exit"]);
  expect(syntax.bareNews).toEqual(["Date"]);
  expect(syntax.strings).toContain("select * from ");
  expect(syntax.strings).not.toContain("a comment is free");
});
