import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sweepAllMemory, sweepMemory } from "../../src/ingest/spare-memory.ts";

// A sweep of what was made lately alone leaves these: it is told apart by them.
test.each([
  ["sweepMemory", sweepMemory],
  ["sweepAllMemory", sweepAllMemory],
])("%s gives back everything that nobody holds", async (_name, sweep) => {
  const held = { text: "held" };
  const kept = new WeakRef(held);
  const left = new WeakRef({ text: "left" });
  // Until the turn is over, both are held.
  await nextTurn();
  sweep();
  expect(left.deref()).toBeUndefined();
  expect(kept.deref()).toBe(held);
});
