import { createHash } from "node:crypto";
import type { ByteSource } from "../kernel/bytes.ts";
import { fileBytes } from "../kernel/bytes.ts";
import type { Home } from "./gather.ts";

/** Whether one of the homes holds exactly the bytes that a file has on the disk now. */
export function isKept(path: string, homes: readonly Home[]): boolean {
  const found = homes.flatMap((home) =>
    home.files.filter((file) => file.path === path).map((file) => ({ home, file })),
  );
  const now = digest(fileBytes(path));
  return found.some(({ home, file }) => digest(home.open(file)) === now);
}

function digest(source: ByteSource): string {
  const hash = createHash("sha256");
  for (const chunk of source.chunks()) hash.update(chunk);
  return hash.digest("hex");
}
