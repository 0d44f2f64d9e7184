import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";

/** An archive written by version 0.1; the home in it no longer exists on the disk. */
function archiveOfOld(): string {
  const folder = mkdtempSync(join(tmpdir(), "pollux-upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const archive = join(folder, "archive.db");
  copyFileSync(join(import.meta.dirname, "../fixtures/archives/version-1.db"), archive);
  return archive;
}

function opened(archive: string, refresh: "look" | "none", remarks: string[] = []): Library {
  const library = open({
    roots: ["/home/ada/.gemini"],
    archive,
    refresh,
    environment: { env: {}, homeDir: "/home/ada" },
    remark: (sentence) => void remarks.push(sentence),
  });
  onTestFinished(() => library.close());
  return library;
}

test("an archive of an older version lists all sessions, even if their folder is gone", async () => {
  const archive = archiveOfOld();
  const { sessions } = await opened(archive, "look").sessions();
  expect(sessions.length).toBeGreaterThan(0);
  expect(await opened(archive, "none").sessions()).toMatchObject({ total: sessions.length });
});

test("without a refresh, a remark reports files that were not yet read", async () => {
  const remarks: string[] = [];
  expect(await opened(archiveOfOld(), "none", remarks).sessions()).toMatchObject({ total: 0 });
  expect(remarks).toEqual([expect.stringMatching(/^\d+ archived files were not read/)]);
});
