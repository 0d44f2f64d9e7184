import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Library } from "../../src/library/library.ts";
import { header, homeWith, jsonl, model, user } from "../samples/home.ts";
import { TOUR_FILE, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { ask, openHome, started, tour } from "./samples.ts";

test("the sessions are opened while the browser loads the app", async () => {
  const { folder } = homeWith(TOUR_HOME);
  const opened = vi.fn<() => Promise<Library>>(async () => openHome(folder));
  const { port } = await started(folder, { open: opened });
  // Once, to find the folders to watch.
  expect(opened).toHaveBeenCalledTimes(1);
  await ask({ port, path: "/" });
  await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(2));
});

describe("live updates", () => {
  test("report that a session has grown, and answers contain the addition", async () => {
    const { folder, port, token, get } = await tour();
    const before = await get(`/api/sessions/${TOUR_ID}`);
    const events = await listen(port, token);
    const file = join(folder, ".gemini", "tmp", "ledger", TOUR_FILE);
    appendFileSync(file, `${JSON.stringify(model("g9", 50, "One more thing."))}\n`);
    await events.until("event: changed");
    const after = await get(`/api/sessions/${TOUR_ID}`);
    const added = Number(after.headers["x-total-count"]) - Number(before.headers["x-total-count"]);
    expect(added).toBe(1);
    expect(after.text).toContain("One more thing.");
    events.close();
  });

  test("report the first session of a new project", async () => {
    const { folder, port, token, get } = await tour();
    await get("/api/sessions");
    const events = await listen(port, token);
    const chats = join(folder, ".gemini", "tmp", "second", "chats");
    mkdirSync(chats, { recursive: true });
    const text = jsonl(header("0000aaaa-new"), user("n1", 60, "Hello"), model("n2", 61, "Hi"));
    writeFileSync(join(chats, "session-2026-02-10T17-29-0000aaaa.jsonl"), text);
    await events.until("event: changed");
    await expect.poll(async () => (await get("/api/sessions")).headers["x-total-count"]).toBe("3");
    events.close();
  });
});

async function listen(
  port: number,
  token: string,
): Promise<{ close: () => void; until: (wanted: string) => Promise<void> }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/api/live`, { headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  return {
    close: () => void reader?.cancel(),
    until: async (wanted) => {
      while (!heard.includes(wanted)) {
        const next = await reader?.read();
        if (next?.value === undefined) throw new Error(`The line ended after: ${heard}`);
        heard += next.value;
      }
    },
  };
}
