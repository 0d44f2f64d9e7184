import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installedProgram, isOlder } from "../../src/ingest/installed.ts";

test.each([
  ["2.0.77", "2.1", true],
  ["2.1.325", "2.1", false],
  ["v0.38.2", "0.39", true],
  ["0.130.0", "0.130", false],
  ["1", "2.0", true],
  ["latest", "2.0", false],
])("%s is older than %s: %s", (version, than, isOld) => {
  expect(isOlder(version, than)).toBe(isOld);
});

test("takes a program's version from its package.json or its folder name", () => {
  const folder = mkdtempSync(join(tmpdir(), "pollux-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const wanted = { command: "agent", packageName: "@maker/agent" };
  const find = (bin: string) => installedProgram(wanted, { env: { PATH: bin }, platform: "linux" });
  expect(find(folder)).toBeUndefined();
  const inPackage = join(folder, "node_modules", "@maker", "agent", "bin");
  const inPlace = join(folder, "versions", "1.2.3");
  for (const bin of [inPackage, inPlace]) {
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "agent"), "", { mode: 0o755 });
  }
  const manifest = JSON.stringify({ name: "@maker/agent", version: "0.9.1" });
  writeFileSync(join(inPackage, "..", "package.json"), manifest);
  expect(find(inPackage)).toEqual({ path: join(inPackage, "agent"), version: "0.9.1" });
  expect(find(inPlace)).toEqual({ path: join(inPlace, "agent"), version: "1.2.3" });
});
