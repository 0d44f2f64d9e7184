import { describe, expect, test } from "vitest";
import { withJoins } from "../../scripts/join-spreads.mjs";

function valueOf(code: string): unknown {
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return (new Function(code) as () => unknown)();
}

const GIVEN = `const a = { x: 1, y: 2 }, b = { y: 3 }, none = undefined, key = "k";
const hostile = JSON.parse('{"__proto__": {"isAdmin": true}, "z": 1}');`;

/** Literals that begin with a spread and have more members: rewritten as calls. */
const JOINED = [
  "({ ...a, z: 3 })",
  "({ ...a, ...b })",
  "({ ...a, ...(none ? { q: 1 } : {}), z: 3, ...b, w: 4, })",
  "({ ...none, ...null, z: 1 })",
  "({ ...a, inner: { ...b, c: [{ ...a, d: 1 }] } })",
  "({ ...{ ...a, q: 1 }, [key + 1]: 2, key })",
  "({ ...a, sum() { return this.x + this.y; } }).sum()",
  "Object.keys({ ...hostile, more: 1 })",
  "({ ...hostile, more: 1 }).isAdmin ?? 'not taken for a prototype'",
  "Object.getPrototypeOf({ ...hostile, more: 1 }) === Object.prototype",
  "((one) => ({...one, z: 1}))(a)",
];
const LEFT = ["({ z: 3, ...a })", "({ ...a })", "({ ...a, get g() { return 1; } })"];

describe("literals that begin with a spread", () => {
  test.each(JOINED)("%s has the same value as the call", (literal) => {
    const code = `${GIVEN} return(${literal});`;
    const joined = withJoins(`function made() { ${code} }`);
    expect(joined).toContain("$join({}");
    expect(valueOf(`${joined} return made();`)).toEqual(valueOf(code));
  });

  test.each(LEFT)("%s is not rewritten", (literal) => {
    expect(withJoins(literal)).toBe(literal);
  });
});
