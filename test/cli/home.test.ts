import { describe, expect, test } from "vitest";
import { run } from "./run.ts";

describe("pollux without a terminal", () => {
  test.each([[[]], [["home"]], [["open"]], [["home", "--plain"]]])(
    "%j prints the overview",
    async (args) => {
      const [home, overview] = [await run([...args, "--demo"]), await run(["overview", "--demo"])];
      expect(home).toEqual(overview);
      expect(home.code).toBe(0);
    },
  );

  test("--json is the overview's", async () => {
    const [home, overview] = [
      await run(["--demo", "--json"]),
      await run(["overview", "--demo", "--json"]),
    ];
    expect(JSON.parse(home.out)).toEqual(JSON.parse(overview.out));
  });
});
