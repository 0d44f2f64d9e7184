import type { IncomingMessage } from "node:http";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { SYNC_PROTOCOL } from "../core/team/sync-protocol.ts";
import { closeSession, openSession } from "../library/team/team-owners.ts";
import type { Team } from "../store/team.ts";
import { DeviceServer } from "../team/device-server.ts";
import { deviceOf, enrol } from "../team/enrol.ts";
import { isOfRows } from "../team/sent-rows.ts";
import { bodyBytes } from "./body.ts";
import type { Reply } from "./reply.ts";
import { errorReply, jsonReply } from "./reply.ts";
import { DIGEST, isDigests, isFile, isFolders, isNames, isSession } from "./sync-bodies.ts";
import { isObject } from "../core/json.ts";

const MOST_JSON_BYTES = 16 * 1024 * 1024;
/** Slightly more than a chunk: incompressible data is sent uncompressed. */
const MOST_SEGMENT_BYTES = 300 * 1024;
/** Limit for wrong codes per minute, over all clients; codes have 59 bits. */
const MOST_WRONG_CODES = 10;
const MINUTE_MS = 60_000;
/** Requests in progress or waiting for the database; further ones are told to retry later. */
const MOST_AT_ONCE = 64;
/** Limit for unpacked file content held in memory at once. */
const MOST_BYTES_AT_ONCE = 1024 ** 3;

export interface SyncOptions {
  team: Team;
  now: () => number;
  /** Called when data of a person has arrived. */
  arrived: (person: number) => void;
  /** Limit for parallel requests; further ones are told to retry later. */
  mostAtOnce?: number;
}

/** Answers machines that send. Without a token, a client can only enrol. */
export class SyncRequests {
  readonly #options: SyncOptions;
  #wrongCodes: number[] = [];
  #atOnce = 0;
  #bytesAtOnce = 0;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, address: URL): Promise<Reply> {
    const { team, now } = this.#options;
    if (request.headers["pollux-protocol"] !== String(SYNC_PROTOCOL)) return otherProtocol();
    const [, , what = "", name = ""] = address.pathname.split("/");
    if (request.method === "POST" && what === "enrol") return this.#enrol(request);
    const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? "")?.[1];
    const device = token === undefined ? undefined : await deviceOf(team, token, now());
    if (!device) return noDevice();
    const server = new DeviceServer(team, device, { clock: now });
    const holding: Asked["holding"] = (sizeBytes, work) => this.#holding(sizeBytes, work);
    const whose = { team, person: device.person, nowMs: now() };
    const asked = { server, ...whose, request, name, question: address.searchParams, holding };
    const doing = ANSWERS[`${request.method} ${what}`];
    if (!doing) return errorReply(404, { code: "no-such-request", message: "Unknown request." });
    if (this.#atOnce >= (this.#options.mostAtOnce ?? MOST_AT_ONCE)) throw busy();
    this.#atOnce += 1;
    try {
      return await doing(asked, () => this.#options.arrived(device.person));
    } finally {
      this.#atOnce -= 1;
    }
  }

  /** A file larger than the limit is accepted, too, but only alone. */
  async #holding<T>(sizeBytes: number, work: () => Promise<T>): Promise<T> {
    const isFull = this.#bytesAtOnce > 0 && this.#bytesAtOnce + sizeBytes > MOST_BYTES_AT_ONCE;
    if (isFull) throw busy();
    this.#bytesAtOnce += sizeBytes;
    try {
      return await work();
    } finally {
      this.#bytesAtOnce -= sizeBytes;
    }
  }

  async #enrol(request: IncomingMessage): Promise<Reply> {
    const nowMs = this.#options.now();
    this.#wrongCodes = this.#wrongCodes.filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (this.#wrongCodes.length >= MOST_WRONG_CODES) {
      const message = "Too many wrong codes. Try again in a minute.";
      return errorReply(429, { code: "too-many-failures", message });
    }
    const body = await json(request);
    const { code, name } = isObject(body) ? body : {};
    try {
      const asked = { code: String(code), name: String(name) };
      return jsonReply(await enrol(this.#options.team, asked, nowMs));
    } catch (error) {
      this.#wrongCodes.push(nowMs);
      if (!(error instanceof PolluxError) || error.code !== "wrong-code") throw error;
      const { message, remedy = "" } = error;
      return errorReply(403, { code: error.code, message, remedy });
    }
  }
}

interface Asked {
  server: DeviceServer;
  team: Team;
  /** The owner of the machine. */
  person: number;
  nowMs: number;
  request: IncomingMessage;
  name: string;
  question: URLSearchParams;
  /** Runs work that holds this many bytes in memory. */
  holding: <T>(sizeBytes: number, work: () => Promise<T>) => Promise<T>;
}

type Doing = (asked: Asked, arrived: () => void) => Promise<Reply>;

const ANSWERS: Readonly<Record<string, Doing>> = {
  "GET policy": async ({ server }) => jsonReply(await server.policy()),
  "POST held": async ({ server, request }) => {
    const folders = await json(request);
    return isFolders(folders) ? jsonReply(await server.held(folders)) : garbage();
  },
  "POST missing": async ({ server, request }) => {
    const digests = await json(request);
    return isDigests(digests) ? jsonReply(await server.missing(digests)) : garbage();
  },
  "PUT segments": async ({ server, request, name, question }) => {
    if (!DIGEST.test(name)) return garbage();
    const stored = await bodyBytes(request, MOST_SEGMENT_BYTES);
    try {
      await server.putSegment({ digest: name, codec: question.get("codec") ?? "", stored });
    } catch (error) {
      if (!(error instanceof PolluxError) || error.code !== "wrong-digest") throw error;
      return errorReply(422, { code: error.code, message: error.message });
    }
    return { status: 204 };
  },
  "POST files": async ({ server, request, holding }, arrived) => {
    const file = await json(request);
    if (!isFile(file)) return garbage();
    const result = await holding(file.sizeBytes, () => server.putFile(file));
    if (result.answer === "taken") arrived();
    return jsonReply(result);
  },
  "POST told": async ({ server, request }, arrived) => {
    const sent = await json(request);
    if (!isSession(sent)) return garbage();
    try {
      await server.putRows(sent);
    } catch (error) {
      if (isOfRows(error)) return garbage();
      throw error;
    }
    arrived();
    return jsonReply({});
  },
  "POST drop": async ({ server, request }) => {
    const names = await json(request);
    if (!isNames(names)) return garbage();
    await server.dropRows(names);
    return jsonReply({});
  },
  "POST open": async ({ team, person, request, nowMs }) => {
    const body = await json(request);
    const { session, team: to } = isObject(body) ? body : {};
    if (typeof session !== "string" || session === "") return garbage();
    if (to !== undefined && typeof to !== "string") return garbage();
    const asked = { session, ...optional("to", to), atMs: nowMs };
    return jsonReply(await openSession(team, { id: person }, asked));
  },
  "POST close": async ({ team, person, request }) => {
    const body = await json(request);
    const { session } = isObject(body) ? body : {};
    if (typeof session !== "string" || session === "") return garbage();
    await closeSession(team, { id: person }, session);
    return jsonReply({});
  },
  "GET sessions": async ({ server, name }) => {
    if (name === "") return jsonReply(await server.sessions());
    return jsonReply(await server.find(decodeURIComponent(name)));
  },
  "GET files": async ({ server, name, question }) => {
    const [id, from, to] = [name, question.get("from"), question.get("to")].map(Number);
    if (![id, from, to].every(Number.isSafeInteger)) return garbage();
    const bytes = await server.read({ id: id ?? 0, from: from ?? 0, to: to ?? 0 });
    return { status: 200, type: "application/octet-stream", body: Buffer.from(bytes) };
  },
};

async function json(request: IncomingMessage): Promise<unknown> {
  const text = (await bodyBytes(request, MOST_JSON_BYTES)).toString("utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PolluxError("wrong-usage", "The request body is not JSON.", { cause });
  }
}

function busy(): PolluxError {
  return new PolluxError("busy", "The server is busy. Try again in a few seconds.");
}

function garbage(): Reply {
  return errorReply(400, { code: "garbage", message: "The request is not valid." });
}

function noDevice(): Reply {
  return errorReply(401, {
    code: "unknown-device",
    message: "This machine's token is unknown, revoked or expired.",
    remedy: "Enrol again: `pollux sync enrol CODE --to URL`.",
  });
}

function otherProtocol(): Reply {
  return errorReply(426, {
    code: "other-protocol",
    message: `This server uses version ${SYNC_PROTOCOL} of the sync protocol.`,
    remedy: "Update Pollux on this machine, or on the server.",
  });
}
