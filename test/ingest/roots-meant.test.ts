import { join } from "node:path";
import { expect, test } from "vitest";
import { TestHome } from "./desk.ts";

test("a wished root is this machine's, when another one has its own at the same path", () => {
  const home = new TestHome();
  home.session("bbbbbbbb-1");
  const theirs = home.library({ archive: join(home.folder, "theirs.db") });
  theirs.archive.keep();
  const file = join(home.folder, "theirs.pollux");
  theirs.archive.care.exportTo(file);
  home.remove(home.fileOf("bbbbbbbb-1"));

  const imported = home.library();
  imported.archive.care.importFrom(file);
  const ids = (): string[] => {
    const { sessions } = home.library({ refresh: "none" }).sessions();
    return sessions.map(({ id }) => id);
  };
  // Nothing of this machine is kept yet: theirs is the only one that can be meant.
  expect(ids()).toEqual(["bbbbbbbb-1"]);
  imported.archive.close();

  home.session("aaaaaaaa-1");
  home.library().archive.keep();
  expect(ids()).toEqual(["aaaaaaaa-1"]);
});
