import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { PolluxError } from "../core/error.ts";
import type { HandoverReceipt } from "../ingest/handover.ts";
import { placeFile } from "../ingest/restore/place-file.ts";
import { readForeignText } from "../kernel/open-file.ts";
import type { Where } from "../store/location.ts";
import { usualArchive } from "../store/location.ts";
import { ambiguous } from "./naming.ts";

/** A JSONL file with one line for each handed-over session that can be removed again. */
function receiptsFile(where: Where): string {
  return join(dirname(usualArchive(where)), "handovers.jsonl");
}

export function addReceipt(where: Where, receipt: HandoverReceipt): void {
  const file = receiptsFile(where);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(receipt)}\n`, { mode: 0o600 });
}

/** Finds a receipt by the new session's id or a prefix of it. */
export function receiptOf(where: Where, name: string): HandoverReceipt {
  const found = receiptsIn(where).filter(({ sessionId }) => sessionId.startsWith(name));
  const [first, second] = found;
  if (first && !second && name !== "") return first;
  if (first && second && name !== "") {
    throw ambiguous(
      name,
      found.map(({ sessionId }) => sessionId),
    );
  }
  throw new PolluxError("no-such-handover", `No handed-over session matches "${name}".`, {
    remedy: "Give the id of the new session, as printed by `pollux handover`.",
  });
}

export function removeReceipt(where: Where, id: string): void {
  const left = receiptsIn(where).filter(({ sessionId }) => sessionId !== id);
  const lines = left.map((receipt) => `${JSON.stringify(receipt)}\n`).join("");
  placeFile(receiptsFile(where), [Buffer.from(lines)], "is-replaced");
}

function receiptsIn(where: Where): HandoverReceipt[] {
  const file = receiptsFile(where);
  if (!existsSync(file)) return [];
  return readForeignText(file)
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as HandoverReceipt];
      } catch {
        // An empty line, or one that was cut off while it was written.
        return [];
      }
    });
}
