import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { codeOf, PolluxError } from "../core/error.ts";
import { versioned } from "../core/schema-version.ts";

/**
 * Session text is untrusted: if anything slips through, it must not run, load or send. Scripts and
 * styles come from this server only, and only the sanitiser turns text into markup.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": CONTENT_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

export interface Reply {
  status: number;
  type?: string;
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
}

export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(reply.body ?? "");
  // A rejected client might keep sending its body, so close the connection after the reply.
  const isCutShort = reply.status >= 400 && !request.complete;
  if (isCutShort) response.once("finish", () => (request.socket as Socket | null)?.destroySoon());
  response.writeHead(reply.status, {
    ...HEADERS,
    ...(isCutShort ? { Connection: "close" } : {}),
    "Cache-Control": "no-store",
    ...(reply.type === undefined ? {} : { "Content-Type": reply.type }),
    "Content-Length": body.length,
    ...reply.headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A download; its bytes are produced while they are sent. */
export interface SavedFile {
  name: string;
  mediaType: string;
  chunks: AsyncIterable<string | Uint8Array>;
}

/**
 * Sends a download, never shown as a page of ours. An error before the first chunk is reported like
 * any other; a later one closes the connection, so that the file is not taken as complete.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { name, mediaType, chunks }: SavedFile,
): Promise<void> {
  const pieces = chunks[Symbol.asyncIterator]();
  const first = await pieces.next();
  response.writeHead(200, {
    ...HEADERS,
    "Cache-Control": "no-store",
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
  if (request.method === "HEAD" || first.done === true) {
    await pieces.return?.();
    response.end();
    return;
  }
  const all = async function* (): AsyncGenerator<string | Uint8Array> {
    yield first.value;
    // Send the first chunk before making the next, which may block the thread for seconds.
    await setImmediate();
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  try {
    await pipeline(Readable.from(all()), response);
  } catch (error) {
    const isGone = codeOf(error) === "ERR_STREAM_PREMATURE_CLOSE";
    if (!isGone) throw error;
  }
}

/** Starts a response with server-sent events. */
export function sendEvents(response: ServerResponse): void {
  response.writeHead(200, {
    ...HEADERS,
    "Cache-Control": "no-store",
    "Content-Type": "text/event-stream; charset=utf-8",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
}

/** An answer for people and programs; the sync protocol has its own versions. */
export function versionedReply(
  answer: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return jsonReply(versioned(answer), headers);
}

export function jsonReply(value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  try {
    const body = `${JSON.stringify(value)}\n`;
    return { status: 200, type: "application/json; charset=utf-8", body, headers };
  } catch (error) {
    // Too long for a string, or nested too deeply for the stack.
    if (!(error instanceof RangeError)) throw error;
    return errorReply(413, {
      code: "answer-too-large",
      message: "The answer is too large.",
      remedy: "Request a part of it with limit and offset.",
    });
  }
}

export interface Complaint {
  code: string;
  message: string;
  remedy?: string | undefined;
}

export function errorReply(status: number, { code, message, remedy }: Complaint): Reply {
  const error = { code, message, remedy: remedy ?? null };
  const body = `${JSON.stringify({ error })}\n`;
  return { status, type: "application/json; charset=utf-8", body };
}

const WRONG = /^(wrong-usage$|bad-query$|cannot-take$|unknown-source$|ambiguous-)/;
/** The request is valid, but this cannot be done with this session. */
const UNFIT =
  /^(agent-session|session-not-sent|nothing-to-[\w-]+|cannot-restore|unknown-project|no-project-folder|not-kept|not-installed|foreign-file|handover-used|odd-id|version-too-old)$/;

export function isUnfit(error: unknown): boolean {
  return error instanceof PolluxError && UNFIT.test(error.code);
}

/** Seconds until the client should retry: store failover or a server update takes a few. */
const [BUSY_S, AWAY_S] = [2, 5];
const retryAfter = (seconds: number): Record<string, string> => {
  return { "Retry-After": String(seconds) };
};

/** Maps the errors of the command line to HTTP status codes. */
export function replyTo(error: unknown): Reply {
  if (!(error instanceof PolluxError)) {
    const message = "Internal error in Pollux.";
    return errorReply(500, { code: "internal", message });
  }
  if (error.code === "not-allowed") return errorReply(403, error);
  if (error.code === "body-too-large") return errorReply(413, error);
  if (error.code === "archive-full") return errorReply(507, error);
  if (error.code === "busy") return { ...errorReply(429, error), headers: retryAfter(BUSY_S) };
  if (error.code === "store-unreachable" || error.code === "archive-newer") {
    return { ...errorReply(503, error), headers: retryAfter(AWAY_S) };
  }
  const isAbsent = error.code.startsWith("no-such-");
  const mine = isUnfit(error) ? 409 : 500;
  const status = isAbsent ? 404 : WRONG.test(error.code) ? 400 : mine;
  return errorReply(status, error);
}
