// @module-tag slow
import {
  closeSync,
  openSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { header, jsonl, model, user } from "../samples/records.ts";
import { STORES } from "./stores.ts";
import { CHATS, inodeOf, NOW_MS, readText, TestHome } from "./test-home.ts";

const FILE = `${CHATS}/session-2026-02-10T17-28-aaaaaaaa.jsonl`;
const SECRET = "hunter2hunter2";

/** A session of more than 12 KB whose middle holds a secret. */
function longSession(): string {
  const before = Array.from({ length: 40 }, (_, at) =>
    model(`a${at}`, at, `answer ${"x".repeat(60)}`),
  );
  const after = Array.from({ length: 40 }, (_, at) =>
    model(`b${at}`, 50 + at, `answer ${"y".repeat(60)}`),
  );
  return jsonl(header("one"), ...before, user("u1", 45, `my password is ${SECRET}`), ...after);
}

function overwrite(path: string, from: string, to: string): void {
  const at = readFileSync(path, "utf8").indexOf(from);
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, to, at);
  closeSync(descriptor);
}

describe.each(STORES)("with a %s store, kept bytes equal the bytes on disk", (_, open) => {
  const newHome = async (): Promise<TestHome> => {
    const home = new TestHome({ store: await open() });
    home.write(FILE, longSession());
    await home.ingest();
    return home;
  };

  test("after the middle is overwritten in place and a line is appended", async () => {
    const home = await newHome();
    expect(readText(home.path(FILE)).length).toBeGreaterThan(12_000);
    overwrite(home.path(FILE), SECRET, "*".repeat(SECRET.length));
    home.append(FILE, jsonl(user("u9", 99, "goes on")));
    expect(await home.ingest()).toMatchObject([{ replaced: 1, appended: 0 }]);
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
    expect(await home.kept(FILE)).not.toContain(SECRET);
  });

  test("after the middle is overwritten with the same number of bytes", async () => {
    const home = await newHome();
    overwrite(home.path(FILE), SECRET, "*".repeat(SECRET.length));
    home.age(FILE);
    expect(await home.ingest()).toMatchObject([{ replaced: 1 }]);
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
  });

  test("after such an overwrite with the modification time restored", async () => {
    const home = await newHome();
    const { atime, mtime, ctimeMs } = statSync(home.path(FILE));
    overwrite(home.path(FILE), SECRET, "*".repeat(SECRET.length));
    // Repeat until the file system's clock ticks.
    do utimesSync(home.path(FILE), atime, mtime);
    while (statSync(home.path(FILE)).ctimeMs === ctimeMs);
    expect(statSync(home.path(FILE)).mtime).toEqual(mtime);
    expect(await home.ingest()).toMatchObject([{ replaced: 1 }]);
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
    expect(await home.ingest()).toMatchObject([{ unchanged: 2, replaced: 0 }]);
  });

  test("after another file takes over the inode with the same beginning and end", async () => {
    const home = await newHome();
    const before = readText(home.path(FILE));
    const inode = inodeOf(home.path(FILE));
    const other = before.replace(SECRET, "z".repeat(SECRET.length));
    // Written in place, so the inode stays the same.
    writeFileSync(home.path(FILE), `${other}${jsonl(user("u9", 99, "goes on"))}`);
    home.age(FILE);
    expect(inodeOf(home.path(FILE))).toBe(inode);
    await home.ingest();
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
  });

  test("after the file is truncated and continued with other bytes", async () => {
    const home = await newHome();
    const whole = readText(home.path(FILE));
    home.write(FILE, whole.slice(0, whole.indexOf(SECRET)));
    await home.ingest();
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
    home.append(FILE, `${"q".repeat(whole.length)}\n`);
    await home.ingest();
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
  });

  test("and the previous bytes stay kept", async () => {
    const home = await newHome();
    const before = readText(home.path(FILE));
    overwrite(home.path(FILE), SECRET, "*".repeat(SECRET.length));
    home.age(FILE);
    await home.ingest({ clock: () => NOW_MS + 1000 });
    const [file] = await home.store.known({ paths: [home.path(FILE)] });
    const [first] = await home.store.versions(file?.id ?? 0);
    if (!file || !first) throw new Error("not kept");
    const { content, sizeBytes } = first;
    const bytes = await home.store.bytes({ path: file.path, content, sizeBytes });
    expect(bytes.range(0, sizeBytes).toString("utf8")).toBe(before);
  });

  test("while the file grows during ingest", async () => {
    const home = await newHome();
    let times = 0;
    const clock = (): number => {
      // Called before each read and each commit.
      if (times < 6) home.append(FILE, jsonl(user(`w${times}`, 100 + times, "meanwhile")));
      times += 1;
      return NOW_MS;
    };
    home.append(FILE, jsonl(user("u9", 99, "goes on")));
    await home.ingest({ clock });
    const kept = await home.kept(FILE);
    expect(readText(home.path(FILE)).startsWith(kept)).toBe(true);
    await home.ingest();
    expect(await home.kept(FILE)).toBe(readText(home.path(FILE)));
  });

  test.skipIf(process.platform === "win32")("and named pipes are not opened", async () => {
    const home = await newHome();
    execFileSync("mkfifo", [home.path(`${CHATS}/session-pipe.jsonl`), home.path("settings.json")]);
    execFileSync("mkfifo", [home.path("projects.json")]);
    await home.ingest();
    expect(await home.ingest()).toMatchObject([{ opened: 0 }]);
    expect(home.source.abilities.retention?.settings(home.place.root)).toMatchObject({
      isEnabled: true,
    });
  });
});
