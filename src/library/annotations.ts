import { compareTexts } from "../core/lists.ts";
import type { Annotation, AnnotationChange, UserAnnotations } from "../core/session/annotation.ts";
import { userAnnotationsOf } from "../core/session/annotation.ts";
import { PolluxError, wrongUsage } from "../core/error.ts";
import { groupBy } from "../core/group.ts";
import { optional } from "../core/optional.ts";
import type { SessionRow } from "../core/rows/session-rows.ts";
import type { SessionSummary } from "../core/rows/summary.ts";
import type { Store } from "../store/store.ts";
import { readRow } from "./contents.ts";
import { sourceNamed } from "./places.ts";
import { findSession } from "./sessions.ts";
import type { StoreAccess } from "./store-access.ts";
import type { StoreView } from "./store-view.ts";

/** Changes to the annotations of a session or message: absent means unchanged, `null` removes. */
export interface OwnChange {
  isStarred?: boolean;
  addTags?: readonly string[];
  removeTags?: readonly string[];
  note?: string | null;
  title?: string | null;
}

export interface OwnTarget {
  /** Session ids or prefixes of them. */
  sessions: readonly string[];
  /** One message of one session, by its id or a prefix of it. */
  message?: string;
}

/** A session or message with its annotations; `null` if there are none. */
export interface AnnotatedItem {
  source: string;
  sessionId: string;
  messageId: string | null;
  own: UserAnnotations | null;
}

export interface OwnList {
  things: (AnnotatedItem & {
    changedAt: string;
    /** `null` if the session does not exist: annotations outlive it. */
    session: SessionSummary | null;
  })[];
  tags: { tag: string; sessions: number; messages: number }[];
}

const MOST = { tag: 64, title: 200, note: 4000 } as const;

/** The user's stars, tags, notes and titles. */
export class AnnotationEditor {
  readonly #access: StoreAccess;

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  /** All annotations of sessions and messages, of all agents or of one. */
  async list(agent?: string): Promise<OwnList> {
    const { store, scope, sources } = await this.#access.reads("outline");
    const of = agent === undefined ? undefined : sourceNamed(sources, agent).id;
    const kept = (await store.annotations({})).filter(({ source }) => source === (of ?? source));
    const sessionIds = [...new Set(kept.map(({ sessionId }) => sessionId))];
    const query = { scope, ids: sessionIds } as const;
    const rows = sessionIds.length === 0 ? [] : (await store.sessions(query)).items;
    const summaries = new Map(rows.map(({ summary }) => [targetKey(summary), summary]));
    // With a limited scope, hide annotations of sessions outside of it.
    const all =
      scope === "own"
        ? kept
        : kept.filter((each) => summaries.has(targetKey({ ...each, id: each.sessionId })));
    const things = [...groupBy(all, thingKey).values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const session = summaries.get(targetKey({ ...first, id: first.sessionId })) ?? null;
      const changedMs = Math.max(...group.map((each) => each.changedMs));
      return [{ ...thingOf(first, group), changedAt: new Date(changedMs).toISOString(), session }];
    });
    return { things: things.toSorted(byChange), tags: tagsOf(all) };
  }

  /** Changes the annotations of sessions or of one message; returns the result. */
  async change(target: OwnTarget, change: OwnChange): Promise<AnnotatedItem[]> {
    const { store, rows } = await this.#find(target);
    const wanted = checked(change);
    const things: Pick<Annotation, "source" | "sessionId" | "messageId">[] = [];
    for (const { row, view } of rows) {
      const { source, id: sessionId } = row.summary;
      const messageId = target.message && (await messageNamed(view, row, target.message));
      things.push({ source, sessionId, ...optional("messageId", messageId) });
    }
    const changes = things.flatMap((on) => changesOf(on, wanted));
    if (changes.length > 0) await store.annotate(changes, Math.floor(this.#access.setup.clock()));
    return ownThings(store, things);
  }

  async #find({ sessions, message }: OwnTarget): Promise<{
    store: Store;
    rows: { row: SessionRow; view: StoreView }[];
  }> {
    if (message !== undefined && sessions.length !== 1) {
      throw wrongUsage("--message needs exactly one session.");
    }
    const view = await this.#access.reads("outline");
    const store = await this.#access.storeToWrite();
    if (view.store !== store) throw notKept();
    const rows = [];
    for (const name of sessions) rows.push({ row: await findSession(view, name), view });
    return { store, rows };
  }
}

async function ownThings(
  store: Store,
  things: readonly Pick<Annotation, "source" | "sessionId" | "messageId">[],
): Promise<AnnotatedItem[]> {
  const kept = await store.annotations({ sessionIds: things.map(({ sessionId }) => sessionId) });
  const groups = groupBy(kept, thingKey);
  return things.map((on) => thingOf(on, groups.get(thingKey(on)) ?? []));
}

function thingOf(
  { source, sessionId, messageId }: Pick<Annotation, "source" | "sessionId" | "messageId">,
  annotations: readonly Annotation[],
): AnnotatedItem {
  const own = userAnnotationsOf(annotations) ?? null;
  return { source, sessionId, messageId: messageId ?? null, own };
}

function thingKey(on: Pick<Annotation, "source" | "sessionId" | "messageId">): string {
  return JSON.stringify([on.source, on.sessionId, on.messageId ?? ""]);
}

function targetKey({ source, id }: { source: string; id: string }): string {
  return JSON.stringify([source, id]);
}

function byChange(a: { changedAt: string }, b: { changedAt: string }): number {
  return Date.parse(b.changedAt) - Date.parse(a.changedAt);
}

function tagsOf(all: readonly Annotation[]): OwnList["tags"] {
  const tags = groupBy(
    all.filter(({ kind }) => kind === "tag"),
    ({ text }) => text,
  );
  return [...tags]
    .map(([tag, group]) => {
      const messages = group.filter(({ messageId }) => messageId !== undefined).length;
      return { tag, sessions: group.length - messages, messages };
    })
    .toSorted((a, b) => b.sessions - a.sessions || compareTexts(a.tag, b.tag));
}

async function messageNamed(view: StoreView, row: SessionRow, name: string): Promise<string> {
  const { messages } = await readRow(view, row);
  const exact = messages.find(({ id }) => id === name);
  if (exact) return exact.id;
  const ids = new Set(messages.flatMap(({ id }) => (id.startsWith(name) ? [id] : [])));
  const [first] = ids;
  if (first !== undefined && ids.size === 1) return first;
  const what =
    first === undefined ? `No message matches "${name}"` : `Several messages begin with "${name}"`;
  throw new PolluxError("no-such-message", `${what} in session "${row.summary.id}".`, {
    remedy: "`pollux show ID --json` lists the ids of all messages.",
  });
}

/** Trims texts; throws if one is too long or empty. */
function checked(change: OwnChange): OwnChange {
  const { addTags, removeTags, note, title } = change;
  return {
    ...change,
    ...optional("addTags", addTags?.map(checkedTag)),
    ...optional("removeTags", removeTags?.map(checkedTag)),
    ...optional("note", checkedText("note", note)),
    ...optional("title", checkedText("title", title)?.replace(/\s+/g, " ")),
    ...(title === null ? { title } : {}),
    ...(note === null ? { note } : {}),
  };
}

function checkedTag(given: string): string {
  const tag = given.trim();
  if (tag !== "" && tag.length <= MOST.tag && !/[\s,\p{C}]/u.test(tag)) return tag;
  throw wrongUsage(`A tag must be one word of at most ${MOST.tag} characters, without commas.`);
}

function checkedText(kind: "note" | "title", given: string | null | undefined): string | undefined {
  if (given === null || given === undefined) return undefined;
  const text = given.trim();
  if (text !== "" && text.length <= MOST[kind]) return text;
  throw wrongUsage(`A ${kind} must have between 1 and ${MOST[kind]} characters.`);
}

function changesOf(
  on: Pick<Annotation, "source" | "sessionId" | "messageId">,
  { isStarred, addTags = [], removeTags = [], note, title }: OwnChange,
): AnnotationChange[] {
  const changes: AnnotationChange[] = [
    ...removeTags.map((text) => ({ ...on, kind: "tag", text, how: "removed" }) as const),
    ...addTags.map((text) => ({ ...on, kind: "tag", text, how: "set" }) as const),
  ];
  if (isStarred !== undefined) {
    changes.push({ ...on, kind: "star", text: "", how: isStarred ? "set" : "removed" });
  }
  for (const [kind, text] of [["note", note] as const, ["title", title] as const]) {
    if (text === undefined) continue;
    changes.push({ ...on, kind, text: text ?? "", how: text === null ? "removed" : "set" });
  }
  return changes;
}

function notKept(): PolluxError {
  return new PolluxError(
    "no-archive",
    "Only archived sessions can have tags, notes, stars and titles.",
    {
      remedy: "Archive them first: `pollux keep`, with the same --root.",
    },
  );
}
