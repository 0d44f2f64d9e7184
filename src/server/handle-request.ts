import type { IncomingMessage, ServerResponse } from "node:http";
import { codeOf, PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { SecretMask } from "../queries/redaction/secret-mask.ts";
import type { CurrentLibrary } from "./current-library.ts";
import type { Guard } from "./guard.ts";
import { digest, isSame } from "./guard.ts";
import type { Live } from "./live.ts";
import type { Pages } from "./pages.ts";
import { Question } from "./question.ts";
import type { Reply } from "./reply.ts";
import { errorReply, jsonReply, replyTo, send, sendFile, versionedReply } from "./reply.ts";
import type { Route, Shared } from "./route.ts";
import { matchRoute, routes } from "./routes.ts";
import { isObject } from "../core/json.ts";

export interface RequestHandlerOptions {
  guard: Pick<Guard, "refuse" | "refuseQuestion" | "refuseForeign">;
  current: CurrentLibrary;
  live: Live;
  pages: Pages;
  /** Login by password. Absent if users sign in otherwise; then the disk cannot be changed. */
  login?: { guard: Guard; token: string; password?: string };
  now: () => number;
  version: string;
  /** The team whose data is served. */
  shared?: Shared;
  /** Called with internal errors; clients only learn that there was one. */
  report?: (error: unknown) => void;
}

const MOST_BODY_BYTES = 16_384;
const LOGIN = "/api/login";
const LIVE = "/api/live";

/** Handles every request: rejects or answers it. */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #secrets = SecretMask.later();

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => response.destroy());
    try {
      const reply = await this.#replyTo(request, response);
      if (reply) send(request, response, reply);
    } catch (error) {
      if (!(error instanceof PolluxError) && !isBrokenOff(error)) this.#options.report?.(error);
      send(request, response, replyTo(error));
    }
  }

  async #replyTo(request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
    const { guard, pages } = this.#options;
    const refusal = guard.refuse(request);
    if (refusal) return errorReply(refusal.status, refusal);
    const address = addressOf(request.url ?? "/");
    if (!address) return errorReply(400, { code: "garbage", message: "Invalid address." });
    const met = matchRoute(address.pathname, routes);
    const isDone = address.pathname === LOGIN || met?.route.does === "change";
    const wrong = wrongMethod(request, isDone ? DOING : ASKING);
    if (wrong) return wrong;
    if (!/^\/api(\/|$)/.test(address.pathname)) {
      // A team's server opens nothing before it knows who asks.
      if (this.#options.login) this.#options.current.prepare();
      return pages.replyTo(address.pathname);
    }
    return this.#answer(request, response, address);
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    address: URL,
  ): Promise<Reply | undefined> {
    const { guard, current, live, now, version } = this.#options;
    if (address.pathname === LOGIN) return this.#logIn(request);
    const refusal = guard.refuseQuestion(request);
    if (refusal) return errorReply(refusal.status, { ...refusal, ...this.#wayIn() });
    if (address.pathname === LIVE && request.method === "GET") {
      live.add(request, response, current.generation);
      return undefined;
    }
    const met = matchRoute(address.pathname, routes);
    if (!met) return noSuchQuestion();
    if (isOfDisk(met.route) && !this.#options.login) return notHere();
    const body = met.route.does === "change" ? await confirmedBody(request, met.route) : {};
    if (!body) return notConfirmed(met.route);
    const question = new Question(address.searchParams);
    const { shared } = this.#options;
    const mask = question.isMasked() || shared?.owner ? this.#secrets : undefined;
    const given = { current, question, named: met.named, ...optional("mask", mask) };
    const asked = { ...given, ...optional("shared", shared), nowMs: now(), version, body };
    const { value, total, file } = await current.answer(async (library) => {
      const made = await met.route.answer({ library, ...asked });
      // The file is produced while it is sent, so the library must stay open until then.
      if (made.file) await sendFile(request, response, made.file);
      return made;
    });
    if (file) return undefined;
    if (met.route.does === "change") current.changed();
    const headers = { "Pollux-Generation": String(current.generation) };
    const shown = mask ? await mask.mask(value) : value;
    return versionedReply(shown, total === undefined ? headers : { ...headers, ...totalOf(total) });
  }

  /** Login by password, for users who cannot see the address printed in the terminal. */
  async #logIn(request: IncomingMessage): Promise<Reply> {
    const { guard, password, token } = this.#options.login ?? {};
    if (!guard) return noSuchQuestion();
    const refusal = guard.refuseForeign(request);
    if (refusal) return errorReply(refusal.status, refusal);
    if (password === undefined) return noSuchQuestion();
    const guess = guard.admitGuess();
    if (!guess) {
      const message = "Too many wrong passwords. Try again in a minute.";
      return errorReply(429, { code: "too-many-failures", message });
    }
    const given = await bodyOf(request);
    if (given === undefined) {
      return errorReply(413, { code: "body-too-large", message: "The request body is too large." });
    }
    if (isSame(digest(given), digest(password))) {
      guess.wasRight();
      return jsonReply({ token });
    }
    return errorReply(401, { code: "wrong-password", message: "Wrong password." });
  }

  #wayIn(): { code?: string; remedy?: string } {
    if (this.#options.login?.password === undefined) return {};
    return { code: "password-needed", remedy: "Log in with your password." };
  }
}

/** A client that disconnected during a request is not our error. */
function isBrokenOff(error: unknown): boolean {
  return codeOf(error) === "ECONNRESET";
}

function totalOf(total: number): Record<string, string> {
  return { "X-Total-Count": String(total) };
}

function noSuchQuestion(): Reply {
  return errorReply(404, {
    code: "no-such-question",
    message: "Unknown API endpoint.",
    remedy: "docs/guide/http.md lists all endpoints.",
  });
}

function isOfDisk({ does, changes }: Route): boolean {
  return does !== undefined && changes !== "store";
}

function notHere(): Reply {
  return errorReply(403, {
    code: "not-here",
    message: "This server is shared; files of your machine cannot be changed from here.",
    remedy: "Run it on your own machine; `pollux archive pull` fetches a session there.",
  });
}

export function addressOf(url: string): URL | undefined {
  // Only the path and the query of the request line are used.
  if (!url.startsWith("/") || url.startsWith("//")) return undefined;
  try {
    const address = new URL(url, "http://pollux.invalid");
    decodeURIComponent(address.pathname);
    return address;
  } catch {
    // Not a URL, or invalid escapes.
    return undefined;
  }
}

const ASKING = ["GET", "HEAD", "OPTIONS"];
const DOING = ["POST", "OPTIONS"];

function wrongMethod({ method }: IncomingMessage, allowed: readonly string[]): Reply | undefined {
  const headers = { Allow: allowed.join(", ") };
  if (method === "OPTIONS") return { status: 204, headers };
  if (allowed.includes(method ?? "")) return undefined;
  const message = "This is not allowed here.";
  return { ...errorReply(405, { code: "wrong-method", message }), headers };
}

/**
 * The body of a change, if it is confirmed. Forms of other pages cannot send this content type, and
 * members that the route does not know are rejected.
 */
async function confirmedBody(
  request: IncomingMessage,
  { takes = [] }: Route,
): Promise<Record<string, unknown> | undefined> {
  if (request.headers["content-type"] !== "application/json") return undefined;
  const { confirm, ...body } = parsedObject((await bodyOf(request)) ?? "");
  const isKnown = Object.keys(body).every((name) => takes.includes(name));
  return confirm === true && isKnown ? body : undefined;
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // Invalid JSON confirms nothing.
    return {};
  }
}

function notConfirmed({ takes = [] }: Route): Reply {
  const more = takes.length === 0 ? "" : `, with no other members than ${takes.join(", ")}`;
  return errorReply(400, {
    code: "not-confirmed",
    message: "This request makes a change and was not confirmed.",
    remedy: `Send {"confirm":true} as application/json${more}.`,
  });
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MOST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
