import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestHome } from "./desk.ts";

function exported(): { home: TestHome; file: string } {
  const home = new TestHome();
  home.session("aaaaaaaa-1");
  const library = home.library();
  library.archive.keep();
  const file = join(home.folder, "moved.pollux");
  library.archive.care.exportTo(file);
  return { home, file };
}

test("a moved archive in which a name was changed is refused", () => {
  const { home, file } = exported();
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf("-aaaaaaaa."); at >= 0; at = bytes.indexOf("-aaaaaaaa.", at + 1)) {
    bytes.write("-aaaaaaab.", at);
  }
  writeFileSync(file, bytes);
  const { care } = home.library({ archive: join(home.folder, "other.db") }).archive;
  expect(() => care.importFrom(file)).toThrow(/Nothing was taken in.*not what was exported/);
  expect(care.stats().files.total).toBe(0);
});

test("a moved archive that was worked with is taken in as it is now", () => {
  const { home, file } = exported();
  home.session("bbbbbbbb-1");
  const moved = home.library({ archive: file });
  moved.archive.keep();
  moved.archive.close();
  const { care } = home.library({ archive: join(home.folder, "other.db") }).archive;
  expect(care.importFrom(file)).toMatchObject({ files: 2 });
});
