import { PolluxError } from "../core/error.ts";
import type { Standing } from "../core/session/message.ts";
import type { Place } from "../core/files/place.ts";
import type { Session } from "../core/session/session.ts";
import type { LineForm } from "../sources/native.ts";
import type { StandingActs } from "./attribution/attribution.ts";
import { addAttribution, attributionOf } from "./attribution/attribution.ts";
import { canonicalChunks } from "./json/canonical.ts";
import type { JsonObject } from "./json/value.ts";
import { newObject } from "./json/value.ts";
import type { FoundFile } from "./native/catalogue.ts";
import type { Marks, SessionLineFacts } from "./native/line-catalogue.ts";
import { LineCatalogue } from "./native/line-catalogue.ts";
import { placeKey, takenBack, outlineOfSession } from "./session-outline.ts";
import type { RecordInput, RecordRequest, TranslatedRecord } from "./translated-record.ts";
import type { RecordFacts } from "./wrapper.ts";
import { wrapperOf } from "./wrapper.ts";

interface LineInput extends RecordInput {
  form: LineForm;
}

/** Creates the record of a session whose entries are the lines of its files. */
export function translateLines(input: LineInput, options: RecordRequest): TranslatedRecord {
  const { session, form } = input;
  refuse(input, options);
  const { marks, leftOut } = marksOf(session, options);
  const catalogue = new LineCatalogue(form, options.profile, marks);
  addFiles(catalogue, input);
  const { files } = catalogue;
  const entries = files.reduce((sum, file) => sum + file.entries, 0);
  const skeleton = wrapperOf(
    {
      session: { ...session, messages: [] },
      files,
      facts: lineFacts(catalogue.facts, input, options),
      cliName: form.cliName,
      entries,
      leftOut,
      isInvertible: options.profile === "lossless" && Object.keys(leftOut).length === 0,
    },
    options,
  );
  if (options.profile === "lossless") {
    const { project, messages } = outlineOfSession(session);
    const acts = actsIn(catalogue, input);
    addAttribution(skeleton, attributionOf(project.path, messages, acts));
  }
  return {
    id: skeleton.id,
    profile: options.profile,
    entries,
    leftOut,
    chunks: () =>
      canonicalChunks(skeleton, (path) => {
        if (path === "session/entries") return catalogue.entries();
        return path === "session/x-native/acts" ? catalogue.acts() : undefined;
      }),
  };
}

/** What calls did to files, as far as the recorded results show. */
function* actsIn(catalogue: LineCatalogue, { session, form }: LineInput): Iterable<StandingActs> {
  const back = takenBack(session);
  const read = form.actReader();
  for (const { value, place } of catalogue.values()) {
    const standing = back.get(placeKey(place))?.standing ?? "live";
    for (const acts of read(value)) yield { ...acts, standing };
  }
}

function refuse({ session, form }: LineInput, { profile }: RecordRequest): void {
  const refusal = (message: string, remedy: string): PolluxError =>
    new PolluxError("no-record-form", message, { remedy });
  if (profile !== "lossless" && !form.isInDraft) {
    const message = `There is no mapping "${profile}" for ${form.cliName} sessions.`;
    throw refusal(message, "Use the profile `lossless`.");
  }
  if (session.files.some(({ format }) => form.shapeOf(format) !== undefined)) return;
  const formats = [...new Set(session.files.map(({ format }) => format))].join(", ");
  const message = `Records of ${form.cliName} sessions cannot be made from this format: ${formats}.`;
  throw refusal(message, "Newer versions of the program write one record per line.");
}

export function addFiles(catalogue: { add(file: FoundFile): void }, input: RecordInput): void {
  for (const { path, format } of input.session.files) {
    const name = path.split(/[\\/]/).at(-1) ?? path;
    catalogue.add({ name, format, bytes: input.open(path) });
  }
}

interface Marking {
  marks: Marks;
  leftOut: Partial<Record<Standing, number>>;
}

/** Only the lossless profile marks rewound messages; the draft's mapping has every line. */
function marksOf(session: Session, { profile, standing }: RecordRequest): Marking {
  const leftOut: Marking["leftOut"] = {};
  const none = newObject();
  if (profile !== "lossless") return { marks: () => none, leftOut };
  const back = takenBack(session);
  if (standing === "all") {
    return { marks: (place: Place) => standingMarks(back.get(placeKey(place))), leftOut };
  }
  for (const message of new Set(back.values())) {
    leftOut[message.standing] = (leftOut[message.standing] ?? 0) + 1;
  }
  return { marks: (place) => (back.has(placeKey(place)) ? "left-out" : none), leftOut };
}

function standingMarks(message: Session["messages"][number] | undefined): JsonObject {
  return newObject({
    "x-standing": message?.standing,
    "x-standing-reason": message?.reason,
    "x-copy-of": message?.copyOf,
  });
}

function lineFacts(
  facts: SessionLineFacts,
  { session, form }: LineInput,
  { profile }: RecordRequest,
): RecordFacts {
  const { revision, branch, repository, provider, models } = facts;
  const isLossless = profile === "lossless";
  const isVersioned = (revision ?? branch ?? repository) !== undefined;
  const vendor = isLossless ? form.vendor : form.vendorOf(models.at(-1) ?? "unknown");
  return {
    id: facts.sessionId,
    start: facts.start,
    end: facts.end,
    models,
    vendor: provider ?? vendor,
    cliVersion: facts.cliVersion,
    workingDir: (isLossless ? session.project.path : undefined) ?? facts.workingDir,
    vcs:
      isLossless && isVersioned
        ? newObject({ type: "git", revision, branch, repository })
        : undefined,
  };
}
