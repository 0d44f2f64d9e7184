import { expect, test } from "vitest";
import { syntaxOf } from "./syntax.ts";
import { files } from "./tree.ts";

/** Files that open only Pollux's own files, system files, or files they wrote. */
const MAY_OPEN = new Set([
  "src/cli/cached-scripts.ts",
  "src/cli/package-folder.ts",
  "src/cli/streamed-file.ts",
  "src/ingest/restore/place-file.ts",
  "src/kernel/open-file.ts",
  "src/library/records.ts",
  "src/server/pages.ts",
  "src/store/bytes/folder.ts",
  "src/store/network.ts",
  "src/store/postgres/this-machine.ts",
  "src/store/sqlite/open.ts",
]);
const OPENS = /^(openSync|readFile|readFileSync|createReadStream|openAsBlob)$/;

// Opening a named pipe blocks until a writer comes; `kernel/open-file.ts` checks for that first.
test("files of other programs are opened by a single function", () => {
  const code = files.filter((path) => /^src\/.*\.ts$/.test(path));
  const opening = code.filter((path) => {
    const { imports, identifiers } = syntaxOf(path);
    const modules = new Set(imports.map(({ from }) => from));
    const isPromised = modules.has("node:fs/promises");
    if (!isPromised && !modules.has("node:fs")) return false;
    return identifiers.some((name) => OPENS.test(name) || (isPromised && name === "open"));
  });
  expect(opening.filter((path) => !MAY_OPEN.has(path))).toEqual([]);
  expect([...MAY_OPEN].filter((path) => !opening.includes(path))).toEqual([]);
});
