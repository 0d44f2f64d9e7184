import type { ByteSource } from "../../kernel/bytes.ts";
import type { Place } from "../../core/files/place.ts";
import { asObject } from "../decoding/fields.ts";
import { nativeLines, recoverRecords, vendorOfModel } from "../decoding/native-lines.ts";
import type { LineFacts, LineForm, NativeLine, NativeObject } from "../native.ts";
import { actReader } from "./file-acts.ts";
import { entryOf, lineOf } from "./native-entry.ts";
import { readDocument } from "./formats/document.ts";
import { FORMATS, headOf, isDocumentHead } from "./read.ts";
import { grammar } from "./formats/lines.ts";
import { isPackedText, unpackedBytes } from "./zstd.ts";

const LINED: ReadonlySet<string> = new Set([
  FORMATS.document,
  FORMATS.bare,
  FORMATS.legacy,
  FORMATS.paginated,
]);

/**
 * A line of a rollout; the oldest files have only the payload:
 *
 *     {"timestamp": "T", "type": "response_item", "payload": {"type": "function_call", …}}
 */
export const native: LineForm = {
  kind: "lines",
  cliName: "codex-cli",
  vendor: "openai",
  isInDraft: true,
  vendorOf: vendorOfModel,
  shapeOf: (format) => (LINED.has(format) ? "lines" : undefined),
  isWrapped: (bytes) => isPackedText(bytes) || isDocumentHead(headOf(bytes)),
  lines,
  recover: (line) => recoverRecords(line, grammar),
  factsOf,
  entryOf,
  lineOf,
  actReader,
  unseeded: new Set([
    "token-usage",
    "rate_limits",
    "images",
    "local_images",
    "text_elements",
    "status",
  ]),
};

function* lines(stored: ByteSource): Iterable<NativeLine> {
  const bytes = isPackedText(stored) ? unpackedBytes(stored) : stored;
  try {
    if (isDocumentHead(headOf(bytes))) yield* itemsOf(bytes);
    else yield* nativeLines(bytes);
  } catch (error) {
    // A damaged packed file yields what can be unpacked; its bytes are kept as they are.
    if (bytes === stored) throw error;
  }
}

/** Yields the items of a document as if each were on its own line. */
function* itemsOf(bytes: ByteSource): Iterable<NativeLine> {
  const places: Place[] = [];
  const record = (_: unknown, place: Place): void => void places.push(place);
  readDocument(bytes, { record, report: () => undefined });
  for (const place of places) {
    const item = Buffer.from(bytes.range(place.start, place.end));
    yield { place, bytes: item, isTooLong: false, isTerminated: true };
  }
}

function factsOf(line: NativeObject): LineFacts {
  const payload = asObject(line["payload"]) ?? line;
  const { type } = line;
  const at = line["timestamp"];
  if (type === "turn_context") return { at, model: payload["model"], workingDir: payload["cwd"] };
  const isBare = type === undefined && typeof line["id"] === "string";
  if (type !== "session_meta" && !isBare) return { at };
  const git = asObject(payload["git"]);
  return {
    at,
    sessionId: payload["id"],
    workingDir: payload["cwd"],
    cliVersion: payload["cli_version"],
    provider: payload["model_provider"],
    revision: git?.["commit_hash"],
    branch: git?.["branch"],
    repository: git?.["repository_url"],
  };
}
