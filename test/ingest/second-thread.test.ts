import { expect, test } from "vitest";
import { Turns } from "../../src/ingest/second-thread.ts";

test("two threads share a list: each takes the next, nothing is taken twice or left", () => {
  const shared = new Int32Array(new SharedArrayBuffer(64));
  const [one, other] = [new Turns(shared), new Turns(shared)];
  const list = ["a", "b", "c", "d", "e"];
  const mine = one.share(list);
  const first = [mine.next().value, mine.next().value];
  const theirs = [...other.share(list)];
  expect([...first, ...theirs]).toEqual(list);
  expect([...mine]).toEqual([]);
  expect([...one.claimed, ...other.claimed]).toEqual([0, 1, 2, 3, 4]);
});
