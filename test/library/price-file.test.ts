import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lazyPrices } from "../../src/library/price-book.ts";

test.each([
  ["linux", ".config", {}],
  ["linux", "settings", { XDG_CONFIG_HOME: "settings" }],
  ["darwin", ".config", {}],
  ["win32", join("AppData", "Roaming"), {}],
  ["win32", "roaming", { APPDATA: "roaming" }],
] as const)("the user's prices on %s are in %s", (platform, folder, variables) => {
  const homeDir = mkdtempSync(join(tmpdir(), "pollux-prices-"));
  const file = join(homeDir, folder, "pollux", "prices.json");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ models: { "my-model": { input: 1, output: 1 } } }));
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, join(homeDir, value)]),
  );
  const prices = lazyPrices({ options: {}, environment: { env, homeDir, platform } })();
  expect(prices.from.ownFile).toBe(file);
});
