import { expect, test } from "vitest";
import { TestHome } from "./desk.ts";

test("a session in two roots is found and counted once, and takes no other place", async () => {
  const home = new TestHome();
  const other = new TestHome();
  const ids = ["aaaaaaaa-1", "bbbbbbbb-1", "cccccccc-1", "dddddddd-1"];
  for (const one of [home, other]) ids.forEach((id) => one.session(id, `xyzzy of ${id}`));
  const library = home.library({ roots: [home.root, other.root] });
  library.archive.keep();
  const { hits, total } = await library.search("xyzzy", { in: ["prompts"], filter: { limit: 3 } });
  expect(new Set(hits.map(({ sessionId }) => sessionId)).size).toBe(3);
  expect(hits).toHaveLength(3);
  expect(total).toBe(4);
});
