import { groupBy } from "../../core/group.ts";
import type { KnownFile } from "../../core/files/kept.ts";
import { optional } from "../../core/optional.ts";
import type { SessionWork } from "../../core/rows/session-work.ts";
import type { Source } from "../../sources/source.ts";
import type { SessionTexts, Store, TextRequest } from "../../store/store.ts";
import type { OpenedFile } from "../decode.ts";
import { isSessionFile } from "../decode.ts";
import { keptGroups } from "../group-files.ts";
import { readSessions } from "../read-group.ts";
import { workOf } from "../session-work.ts";
import { LARGE_BYTES, collectGarbage } from "../threads/garbage.ts";
import { storedHomes } from "../companions/stored-companions.ts";
import type { SessionStore, StoredHome } from "../stored-home.ts";
import { openKept } from "../stored-home.ts";
import { textsInParts } from "./large-texts.ts";
import type { ReadSpill } from "./texts.ts";
import { spillReader, textsOf } from "./texts.ts";
import { totalBytes } from "../../core/files/session-file.ts";

type TextStore = SessionStore & Pick<Store, "indexTexts" | "withoutTexts">;

export interface IndexOptions {
  sources: readonly Source[];
  /** Groups with more bytes than this are read part by part. */
  largeBytes?: number;
}

/** Sessions that are read together to index their texts. */
export interface TextGroup {
  source: string;
  files: KnownFile[];
  requests: TextRequest[];
}

/** Approximate number of characters per index transaction. */
const STEP_CHARACTERS = 2 * 1024 * 1024;

/** Indexes the texts of all sessions that are not indexed yet. Returns their number. */
export async function indexTexts(store: TextStore, options: IndexOptions): Promise<number> {
  const requests = await store.withoutTexts();
  for await (const groups of textPages(store, options.sources, requests)) {
    await indexGroups(store, groups, options);
  }
  return requests.length;
}

/** Sessions per page; looking up the files of all sessions at once would take much memory. */
const PAGE = 2000;

/** Yields the sessions to index in pages. */
export async function* textPages(
  store: TextStore,
  sources: readonly Source[],
  requests: readonly TextRequest[],
): AsyncGenerator<TextGroup[]> {
  for (let done = 0; done < requests.length; done += PAGE) {
    yield await textGroups(store, sources, requests.slice(done, done + PAGE));
  }
}

/** Groups the files of the requested sessions by what is read together. */
async function textGroups(
  store: TextStore,
  sources: readonly Source[],
  requests: readonly TextRequest[],
): Promise<TextGroup[]> {
  const groups: TextGroup[] = [];
  for (const [id, wanted] of groupBy(requests, ({ source }) => source)) {
    const source = sources.find((candidate) => candidate.id === id);
    if (!source) continue;
    const byId = new Map(wanted.map((request) => [request.id, request]));
    for (const files of await filesOf(store, source, byId)) {
      const ids = new Set(files.flatMap(({ sessionIds }) => sessionIds));
      const own = [...ids].flatMap((session) => byId.get(session) ?? []);
      for (const { id: done } of own) byId.delete(done);
      if (own.length > 0) groups.push({ source: id, files, requests: own });
    }
    // These sessions have no files left: they are indexed with no texts.
    if (byId.size > 0) groups.push({ source: id, files: [], requests: [...byId.values()] });
  }
  return groups;
}

async function filesOf(
  store: TextStore,
  source: Source,
  wanted: ReadonlyMap<string, TextRequest>,
): Promise<KnownFile[][]> {
  const ids = [...wanted.keys()];
  const filter = { source: source.id };
  const { items } = await store.sessions({ scope: "own", ids, filter, sort: "newest" });
  const files = items.flatMap(({ session }) => session.files);
  const paths = [...new Set(files.map(({ path, replacedPath }) => replacedPath ?? path))];
  const known = await store.known({ source: source.id, paths, replaced: "with" });
  return keptGroups(store, source, known.filter(isSessionFile));
}

/** Reads groups and indexes their texts in steps. */
export async function indexGroups(
  store: TextStore,
  groups: Iterable<TextGroup>,
  { sources, largeBytes = LARGE_BYTES }: IndexOptions,
): Promise<void> {
  const step = new TextStep(store);
  let homes: readonly StoredHome[] | undefined;
  for (const group of groups) {
    homes ??= await storedHomes(store, sources);
    const source = sources.find(({ id }) => id === group.source);
    const opened = source ? await openKept(store, group.files, homes) : [];
    const bytes = totalBytes(opened.map(({ file }) => file));
    if (source && bytes > largeBytes) {
      await indexLarge(step, { source, opened, requests: group.requests, homes });
      collectGarbage();
    } else await indexWhole(step, { source, opened, requests: group.requests, homes });
  }
  await step.flush();
}

interface OpenedGroup {
  /** Absent if the agent is not known. */
  source: Source | undefined;
  opened: OpenedFile[];
  requests: readonly TextRequest[];
  homes: readonly StoredHome[];
}

async function indexWhole(step: TextStep, group: OpenedGroup): Promise<void> {
  const { source, opened, requests, homes } = group;
  const sessions = source ? readSessions(source, opened, "full") : [];
  const byId = new Map(sessions.map((session) => [session.id, session]));
  for (const request of requests) {
    const session = byId.get(request.id);
    const texts = session && {
      pieces: textsOf(session, spillsIn(session, homes)),
      work: workOf(session, source?.abilities.fileEdits),
    };
    await step.add({ ...request, ...(texts ?? { pieces: [] }) });
  }
}

const SWEPT_PARTS = 8;

/** Indexes a group that is too large to be held in memory in full, part by part. */
async function indexLarge(step: TextStep, large: OpenedGroup & { source: Source }): Promise<void> {
  const { source, opened, requests, homes } = large;
  const wanted = new Map(requests.map((request) => [request.id, request]));
  const readSpill = spillsIn({ files: opened.map(({ file }) => file) }, homes);
  const works = new Map<string, SessionWork>();
  let parts = 0;
  for (const { sessionId, pieces, work } of textsInParts(source, opened, { readSpill })) {
    const request = wanted.get(sessionId);
    if (!request) continue;
    if (work) works.set(sessionId, work);
    await step.add({ ...request, pieces, more: true });
    await step.flush();
    // Collect garbage now and then, so that memory does not grow with the parts.
    parts += 1;
    if (parts % SWEPT_PARTS === 0) collectGarbage();
  }
  for (const request of requests) {
    await step.add({ ...request, pieces: [], ...optional("work", works.get(request.id)) });
  }
}

/** Reads spilled tool outputs from the root that has them. */
function spillsIn(
  { files }: { files: readonly { root: string }[] },
  homes: readonly StoredHome[],
): ReadSpill {
  const roots = new Set(files.map(({ root }) => root));
  const views = homes.filter(({ root }) => roots.has(root.path)).map(({ view }) => view.view);
  const readers = views.map(spillReader);
  return (path) => readers.map((read) => read(path)).find((text) => text !== undefined);
}

class TextStep {
  readonly #store: TextStore;
  #sessions: SessionTexts[] = [];
  #characters = 0;

  constructor(store: TextStore) {
    this.#store = store;
  }

  async add(session: SessionTexts): Promise<void> {
    this.#sessions.push(session);
    for (const { texts } of session.pieces)
      for (const text of texts) this.#characters += text.length;
    if (this.#characters >= STEP_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const sessions = this.#sessions;
    this.#sessions = [];
    this.#characters = 0;
    if (sessions.length > 0) await this.#store.indexTexts(sessions);
  }
}
