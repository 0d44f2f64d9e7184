import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { open } from "../../src/library/library.ts";

function homeSaying(folder: string, said: string): string {
  const root = mkdtempSync(join(tmpdir(), "pollux-chats-"));
  mkdirSync(join(root, ".gemini", "tmp", folder), { recursive: true });
  const chat = JSON.stringify({ history: [{ role: "user", parts: [{ text: said }] }] });
  writeFileSync(join(root, ".gemini", "tmp", folder, "checkpoint-one.json"), chat);
  return root;
}

function tagsIn(roots: string[]): string[] {
  const { savedChats } = open({ roots }).sessions();
  expect(new Set(savedChats.map(({ id }) => id)).size).toBe(savedChats.length);
  return savedChats.map(({ tag }) => tag);
}

test("two chats under one name are two chats", () => {
  expect(tagsIn([homeSaying("p", "Hello"), homeSaying("p", "Goodbye")])).toEqual(["one", "one"]);
});

test("a copy in another folder is the same chat", () => {
  expect(tagsIn([homeSaying("p", "Hello"), homeSaying("q", "Hello")])).toEqual(["one"]);
});
