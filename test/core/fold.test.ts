import { expect, test } from "vitest";
import { fold } from "../../src/core/filter/fold.ts";

test("removes every combining mark", () => {
  for (let code = 0x80; code <= 0x10ffff; code += 1) {
    if (code === 0xd800) code = 0xe000;
    const sign = String.fromCodePoint(code);
    if (!/\p{M}/u.test(sign)) continue;
    expect(fold(`a${sign}b`).text, code.toString(16)).toBe("ab");
  }
});

test("folds a letter independently of its neighbours", () => {
  expect(fold("ΟΔΟΣ ΣΑΣ.Α").text).toBe("οδοσ σασ.α");
  expect(fold("οδος").text).toBe(fold("ΟΔΟΣ").text);
});
