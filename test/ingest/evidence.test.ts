import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { header, jsonl, user } from "../samples/home.ts";
import { TestHome } from "./desk.ts";

const PATH = "/home/ada/ledger";
const HASH = createHash("sha256").update(PATH).digest("hex");

test("what a project is known by is the same in the archive as on the disk", () => {
  const home = new TestHome();
  const write = (name: string, text: string): void => {
    const path = join(home.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const session = jsonl(header("aaaaaaaa-1", { projectHash: HASH }), user("u1", 1, "hello"));
  write(`tmp/${HASH}/chats/session-2026-02-10T17-28-aaaaaaaa.jsonl`, session);
  // The folder that both stand for is gone.
  write("projects.json", JSON.stringify({ projects: { [PATH]: "ledger" } }));
  write("history/ledger/.project_root", PATH);
  const [fresh] = home.library({ refresh: "fresh" }).sessions().sessions;
  const [kept] = home.library().sessions().sessions;
  expect(fresh?.project).toMatchObject({ path: PATH, knownBy: "registry" });
  expect(kept?.project).toEqual(fresh?.project);
});
