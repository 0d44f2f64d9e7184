import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { Library, OpenOptions } from "../../src/library/library.ts";
import { open } from "../../src/library/library.ts";
import { CurrentLibrary } from "../../src/server/current-library.ts";
import { homeWith } from "../samples/home.ts";
import { TOUR_FILE, TOUR_HOME, TOUR_ID } from "../samples/tour.ts";
import { ask, NOW, started } from "./samples.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The disk is looked at a second after the first answer. */
const WITHIN = { timeout: 5000 };

/** Opens libraries on an archive beside the home. */
function opening(
  folder: string,
  nowMs: number = NOW,
): (refresh: OpenOptions["refresh"]) => Promise<Library> {
  const environment = { homeDir: "/home/ada", env: {} };
  const roots = [join(folder, ".gemini")];
  const archive = join(folder, "archive.db");
  return async (refresh = "look") =>
    open({ roots, environment, archive, refresh, clock: () => nowMs });
}

test("answers with the last known state at once, and with the refreshed state later", async () => {
  const { folder } = homeWith(TOUR_HOME);
  const openWith = opening(folder);
  const before = await openWith("look");
  await before.keep(NOW);
  await before.close();
  rmSync(join(folder, ".gemini", "tmp", "ledger", TOUR_FILE));
  const { port, token } = await started(folder, {
    open: () => openWith("look"),
    openKnown: () => openWith("none"),
  });
  const headers = { authorization: `Bearer ${token}` };
  const goneSince = async (): Promise<unknown> => {
    const got = await ask({ port, path: `/api/sessions?q=${TOUR_ID}`, headers });
    return (got.json() as { sessions: { goneSince: unknown }[] }).sessions[0]?.goneSince;
  };
  expect(await goneSince()).toBeNull();
  await expect.poll(goneSince, WITHIN).toBe(new Date(NOW).toISOString());
  const raw = await ask({ port, path: `/api/sessions/${TOUR_ID}/entries/u1`, headers });
  expect(raw.text).toContain("Why does total() fail on an empty list?");
  const about = await ask({ port, path: "/api/about", headers });
  expect(about.json()).toMatchObject({ archive: join(folder, "archive.db") });
});

test("sessions get stars, tags and notes, and lists can be filtered by them", async () => {
  const { folder } = homeWith(TOUR_HOME);
  const openWith = opening(folder);
  const before = await openWith("look");
  await before.keep(NOW);
  await before.close();
  const { port, token } = await started(folder, { open: () => openWith("look") });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const annotate = (body: object): ReturnType<typeof ask> => {
    const sent = JSON.stringify({ confirm: true, sessions: [TOUR_ID], ...body });
    return ask({ port, path: "/api/annotate", headers, method: "POST", body: sent });
  };
  const listed = async (query: string): Promise<unknown> => {
    const list = await ask({ port, path: `/api/sessions?${query}`, headers });
    return (list.json() as { sessions: { own?: unknown }[] }).sessions.map((each) => each.own);
  };
  expect(await listed("tag=later&starred=yes")).toEqual([]);
  const got = await annotate({ isStarred: true, addTags: ["later"], note: "zebra" });
  const own = { isStarred: true, tags: ["later"], note: "zebra", title: null };
  expect(got.json()).toMatchObject({ things: [{ sessionId: TOUR_ID, messageId: null, own }] });
  for (const wrong of [{}, { note: 1 }, { addTags: "later" }, { isStarred: "yes" }]) {
    expect((await annotate(wrong)).json()).toMatchObject({ error: { code: "wrong-usage" } });
  }
  expect((await annotate({ x: 1 })).json()).toMatchObject({ error: { code: "not-confirmed" } });
  expect(await listed("tag=later&starred=yes")).toEqual([own]);
  expect(await listed("tag=never")).toEqual([]);
  const plan = await ask({ port, path: `/api/forget/plan?ids=${TOUR_ID}`, headers });
  expect(plan.json()).toHaveProperty("sessions.0.id", TOUR_ID);
  const bare = { port, path: "/api/forget", headers, method: "POST" };
  const unsaid = await ask({ ...bare, body: JSON.stringify({ sessions: [TOUR_ID] }) });
  expect(unsaid.json()).toMatchObject({ error: { code: "not-confirmed" } });
  const all = await ask({ port, path: "/api/annotations", headers });
  expect(all.json()).toMatchObject({ tags: [{ tag: "later", sessions: 1, messages: 0 }] });
  const body = JSON.stringify({ confirm: true, sessions: [TOUR_ID] });
  expect((await ask({ ...bare, body })).json()).toHaveProperty("sessions.0.id", TOUR_ID);
  expect((await ask({ port, path: "/api/annotations", headers })).json()).toMatchObject({
    tags: [],
  });
});

test("releases idle data and reads it again on the next request", async () => {
  const { folder } = homeWith(TOUR_HOME);
  let read = 0;
  const current = new CurrentLibrary({
    open: async () => {
      read += 1;
      return opening(folder)("look");
    },
    now: () => NOW,
    refreshed: () => undefined,
  });
  const library = await current.answer((opened) => opened);
  const before = { list: await library.sessions(), said: await current.transcript(TOUR_ID) };
  await current.giveBack();
  const after = { list: await library.sessions(), said: await current.transcript(TOUR_ID) };
  expect(after).toEqual(before);
  // Not merely cached: the object is a new one.
  expect(after.said).not.toBe(before.said);
  expect(read).toBe(1);
  await current.close();
});

test("retries opening on the next request after a failure", async () => {
  const { folder } = homeWith(TOUR_HOME);
  let tries = 0;
  const current = new CurrentLibrary({
    open: async () => {
      tries += 1;
      if (tries === 1) throw new Error("busy");
      return opening(folder)("look");
    },
    now: () => NOW,
    refreshed: () => undefined,
  });
  const costs = current.costs();
  // Releasing memory meanwhile does not throw: only the request gets the error.
  const rest = current.giveBack();
  await expect(costs).rejects.toThrow("busy");
  await expect(rest).resolves.toBeUndefined();
  expect((await current.costs()).has(TOUR_ID)).toBe(true);
  await current.close();
});

/** A home whose sessions are kept, so that there is a last known state. */
async function keptHome(since: "unchanged" | "deleted"): Promise<ReturnType<typeof opening>> {
  const { folder } = homeWith(TOUR_HOME);
  // Files that have just been written count as unsettled, and are read again.
  const openWith = opening(folder, statSync(folder).ctimeMs + 3_600_000);
  const first = await openWith("look");
  await first.keep(NOW);
  await first.close();
  if (since === "deleted") rmSync(join(folder, ".gemini", "tmp", "ledger", TOUR_FILE));
  return openWith;
}

test("a refresh that finds nothing new is no news, a change here is", async () => {
  const openWith = await keptHome("unchanged");
  const [refreshed, next] = [vi.fn<() => void>(), await openWith("look")];
  const current = new CurrentLibrary({
    open: async () => next,
    openKnown: () => openWith("none"),
    now: () => NOW,
    refreshed,
  });
  await current.transcript(TOUR_ID);
  await expect.poll(() => current.answer((library) => library), WITHIN).toBe(next);
  expect(refreshed).not.toHaveBeenCalled();
  await next.own.change({ sessions: [TOUR_ID] }, { isStarred: true });
  current.changed();
  await expect.poll(() => current.generation, WITHIN).toBe(2);
  await current.close();
});

test("a replaced library stays open until its last answer is complete", async () => {
  const openWith = await keptHome("deleted");
  const current = new CurrentLibrary({
    open: () => openWith("look"),
    openKnown: () => openWith("none"),
    now: () => NOW,
    refreshed: () => undefined,
  });
  const goOn: (() => void)[] = [];
  const asked = [1, 2].map(() =>
    current.answer(async (library) => {
      await new Promise<void>((resolve) => goOn.push(resolve));
      return { library, list: await library.sessions() };
    }),
  );
  const before = await current.answer((library) => library);
  const closed = vi.spyOn(before, "close");
  await expect.poll(() => current.generation, WITHIN).toBe(2);
  await current.giveBack();
  expect(closed).not.toHaveBeenCalled();
  for (const [index, resolve] of goOn.entries()) {
    resolve();
    const { library, list } = (await asked[index]) ?? {};
    expect(library).toBe(before);
    expect(list?.sessions).toHaveLength(2);
    expect(closed).toHaveBeenCalledTimes(index);
  }
  await current.close();
});

test("a last known state without sessions is closed after the refresh", async () => {
  const openWith = opening(homeWith(TOUR_HOME).folder);
  const known = await openWith("none");
  const closed = vi.spyOn(known, "close");
  const current = new CurrentLibrary({
    open: () => openWith("look"),
    openKnown: async () => known,
    now: () => NOW,
    refreshed: () => undefined,
  });
  const list = await current.answer((library) => library.sessions());
  expect(list.sessions).toHaveLength(2);
  expect(closed).toHaveBeenCalledTimes(1);
  await current.close();
});

test("the sessions are closed only when the last request is answered", async () => {
  const openWith = await keptHome("unchanged");
  const events: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const openSlow = async (): Promise<Library> => {
    const library = await openWith("look");
    const tools = library.tools.bind(library);
    const close = library.close.bind(library);
    vi.spyOn(library, "tools").mockImplementation(async (query) => {
      events.push("asked");
      await held;
      events.push("answered");
      return tools(query);
    });
    vi.spyOn(library, "close").mockImplementation(async () => {
      if (events.length > 0) events.push("closed");
      return close();
    });
    return library;
  };
  const server = await started("", { open: openSlow });
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = ask({ port: server.port, path: "/api/tools", headers });
  await vi.waitFor(() => expect(events).toEqual(["asked"]));
  const stopped = server.stop();
  setTimeout(release, 100);
  expect((await answer).status).toBe(200);
  await stopped;
  expect(events).toEqual(["asked", "answered", "closed"]);
});

test("memory is released again after a late refresh, even a failed one", async () => {
  const openWith = await keptHome("unchanged");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const current = new CurrentLibrary({
    open: () =>
      new Promise((_resolve, reject) => {
        setTimeout(() => reject(new Error("busy")), 20_000);
      }),
    openKnown: () => openWith("none"),
    now: () => NOW,
    refreshed: () => undefined,
  });
  const library = await current.answer((opened) => opened);
  const released = vi.spyOn(library, "release");
  await vi.advanceTimersByTimeAsync(16_000);
  expect(released).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(released).toHaveBeenCalledTimes(2);
  expect(await current.answer((opened) => opened)).toBe(library);
  await current.close();
});
