import { optional } from "../core/optional.ts";
import type { Standing } from "../core/session/message.ts";
import type { MessageForm } from "../sources/native.ts";
import { formFor } from "../sources/native.ts";
import type { StandingActs } from "./attribution/attribution.ts";
import { addAttribution, attributionOf } from "./attribution/attribution.ts";
import type { OutlinedMessage, SessionOutline } from "./session-outline.ts";
import { outlineOfSession } from "./session-outline.ts";
import { canonicalChunks } from "./json/canonical.ts";
import type { Json, JsonObject } from "./json/value.ts";
import { isObject, newObject } from "./json/value.ts";
import { losslessEntry } from "./mapping/lossless.ts";
import { referenceEntry } from "./mapping/reference.ts";
import { seedEntry } from "./mapping/seed.ts";
import { actsOf } from "./native/acts.ts";
import { Catalogue } from "./native/catalogue.ts";
import type { Profile } from "./profile.ts";
import { addFiles, translateLines } from "./translate-lines.ts";
import type { RecordInput, RecordRequest, TranslatedRecord } from "./translated-record.ts";
import type { RecordFacts } from "./wrapper.ts";
import { wrapperOf } from "./wrapper.ts";

export function translateSession(input: RecordInput, request: RecordRequest): TranslatedRecord {
  const form = formFor(input.form, input.session.files[0]?.format ?? "");
  return form.kind === "lines"
    ? translateLines({ ...input, form }, request)
    : translateMessages({ ...input, form }, request);
}

interface MessageInput extends RecordInput {
  form: MessageForm;
}

function translateMessages(input: MessageInput, request: RecordRequest): TranslatedRecord {
  const { form } = input;
  const session = outlineOfSession(input.session);
  const catalogue = new Catalogue(form);
  addFiles(catalogue, input);
  const isKept = ({ standing }: OutlinedMessage): boolean =>
    request.standing === "all" || standing === "live";
  const messages = session.messages.filter(isKept);
  const leftOut = countStandings(session.messages.filter((message) => !isKept(message)));
  const isWhole = request.profile === "lossless" && messages.length === session.messages.length;
  const context = { session, messages, catalogue, form };
  const facts = messageFacts(context, request.profile);
  const { cliName } = form;
  const { files } = catalogue;
  const frame = { session, files, facts, cliName, entries: messages.length, leftOut };
  const skeleton = wrapperOf({ ...frame, isInvertible: isWhole }, request);
  if (request.profile === "lossless") {
    const { path } = session.project;
    addAttribution(skeleton, attributionOf(path, messages, actsIn(context)));
  }
  const entryAt = (message: OutlinedMessage): JsonObject =>
    entryOf(message, context, request.profile);
  return {
    id: skeleton.id,
    profile: request.profile,
    entries: messages.length,
    leftOut,
    chunks: () =>
      canonicalChunks(skeleton, (path) => {
        if (path === "session/entries") return entriesOf(messages, entryAt);
        if (path !== "session/x-native/acts") return undefined;
        return actsOf(catalogue, written(messages, entryAt), form);
      }),
  };
}

function messageFacts(
  { session, messages, catalogue, form }: Context,
  profile: Profile,
): RecordFacts {
  const { id, start, end } = form.names.session;
  const models = messages.flatMap(({ model }) => model ?? []);
  const isLossless = profile === "lossless";
  return {
    id: catalogue.facts[id],
    start: catalogue.facts[start],
    end: catalogue.facts[end],
    models,
    vendor: isLossless ? form.vendor : form.vendorOf(models.at(-1) ?? "unknown"),
    workingDir: isLossless ? session.project.path : undefined,
  };
}

interface Context {
  session: SessionOutline;
  messages: readonly OutlinedMessage[];
  catalogue: Catalogue;
  form: MessageForm;
}

/** What the calls of the messages did to files. */
function* actsIn({ messages, catalogue, form }: Context): Iterable<StandingActs> {
  const { message: names, call: callNames } = form.names;
  for (const message of messages) {
    if (message.copyOf !== undefined || !message.hasActs) continue;
    const calls = catalogue.fetch(message)?.[names.calls];
    for (const call of Array.isArray(calls) ? calls.filter(isObject) : []) {
      const id = call[callNames.id];
      const act = form.fileActOf(call);
      yield {
        callId: typeof id === "string" ? id : "",
        acts: act ? [act] : [],
        standing: message.standing,
        ...optional("model", message.model),
      };
    }
  }
}

function* entriesOf(
  messages: readonly OutlinedMessage[],
  entryAt: (message: OutlinedMessage) => JsonObject,
): Iterable<Json> {
  for (const message of messages) yield entryAt(message);
}

function written(
  messages: readonly OutlinedMessage[],
  entryAt: (message: OutlinedMessage) => JsonObject,
): { indexOf(id: string): number | undefined; at(index: number): JsonObject | undefined } {
  const indices = new Map(messages.map(({ id }, index) => [id, index]));
  return {
    indexOf: (id) => indices.get(id),
    at: (index) => {
      const message = messages[index];
      return message && entryAt(message);
    },
  };
}

function entryOf(
  message: OutlinedMessage,
  { catalogue, form }: Context,
  profile: Profile,
): JsonObject {
  const native = catalogue.fetch(message);
  if (!native) {
    return newObject({ type: "system-event", "event-type": "x-unreadable", id: message.id });
  }
  const entry = translate(native, form, profile);
  if (message.standing === "live") return entry;
  entry["x-standing"] = message.standing;
  if (message.reason !== undefined) entry["x-standing-reason"] = message.reason;
  if (message.copyOf !== undefined) entry["x-copy-of"] = message.copyOf;
  return entry;
}

function translate(native: JsonObject, form: MessageForm, profile: Profile): JsonObject {
  if (profile === "reference") return referenceEntry(native, form);
  return profile === "seed" ? seedEntry(native, form) : losslessEntry(native, form);
}

function countStandings(messages: readonly OutlinedMessage[]): Partial<Record<Standing, number>> {
  const counts: Partial<Record<Standing, number>> = {};
  for (const { standing } of messages) counts[standing] = (counts[standing] ?? 0) + 1;
  return counts;
}
