import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOUR_ID } from "../samples/tour.ts";
import type { TestResponse } from "./samples.ts";
import { ask, tour } from "./samples.ts";

test("a handover has two steps and can be undone", async () => {
  const { port, token, folder, get } = await tour();
  const project = join(folder, "work");
  mkdirSync(project);
  const path = `/api/sessions/${TOUR_ID}/handover/gemini`;
  const query = `?project=${encodeURIComponent(project)}&fit=5000`;
  const planned = await get(path + query);
  const { file } = planned.json() as { file: string };
  expect(planned.json()).toMatchObject({ outcome: "would-write", projectPath: project });
  expect(existsSync(file)).toBe(false);

  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = (to: string, body: string): Promise<TestResponse> => {
    return ask({ port, path: to, headers, method: "POST", body });
  };
  expect((await post(`${path}/write${query}`, "{}")).status).toBe(400);
  const written = await post(`${path}/write${query}`, '{"confirm":true}');
  const answer = written.json() as { file: string; sessionId: string };
  expect(written.json()).toMatchObject({ outcome: "written", conversation: null });
  expect(existsSync(answer.file)).toBe(true);
  const undone = await post(`/api/handovers/${answer.sessionId}/undo`, '{"confirm":true}');
  expect(undone.json()).toMatchObject({ outcome: "removed" });
  expect(existsSync(answer.file)).toBe(false);
});

test("a refused handover has the right status", async () => {
  const { port, token, get } = await tour();
  expect((await get(`/api/sessions/${TOUR_ID}/handover/nobody`)).status).toBe(400);
  expect((await get("/api/sessions/none/handover/codex")).status).toBe(404);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const path = `/api/sessions/${TOUR_ID}/handover/gemini/write?project=/not/there`;
  const refused = await ask({ port, path, headers, method: "POST", body: '{"confirm":true}' });
  expect([refused.status, refused.json()]).toMatchObject([
    409,
    { error: { code: "no-project-folder" } },
  ]);
});
