import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type {
  Enrolled,
  FilePart,
  FolderRef,
  ServerFolder,
  ServerSession,
  ShareRequest,
  PulledSession,
  PutFileResult,
  SentFile,
  SentSegment,
  SyncPolicy,
  SyncServer,
  SentSession,
} from "../core/team/sync-protocol.ts";
import { SYNC_PROTOCOL } from "../core/team/sync-protocol.ts";

const TIMEOUT_MS = 60_000;
const MOST_TRIES = 5;
const LONGEST_WAIT_MS = 60_000;
/**
 * A busy server sends `Retry-After`; up to this total time, waiting does not count as a failure.
 */
const MOST_BUSY_MS = 30 * 60_000;

/** Code of a response that does not come from a Pollux server. */
const UNKNOWN = "sync-refused";

/** Client of a team's server over HTTPS; plain HTTP only on this machine. */
export class RemoteServer implements SyncServer {
  readonly #address: string;
  readonly #token: string | undefined;
  readonly #wait: (ms: number) => Promise<void>;

  constructor(
    address: string,
    { token, wait }: { token?: string; wait: (ms: number) => Promise<void> },
  ) {
    this.#address = safeAddress(address);
    this.#token = token;
    this.#wait = wait;
  }

  async enrol(asked: { code: string; name: string }): Promise<Enrolled> {
    try {
      return await this.#json("POST", "enrol", asked);
    } catch (error) {
      // So answers a server that shows the sessions of one person.
      const isOther = error instanceof PolluxError && error.code === "wrong-method";
      throw isOther ? noTeamServer(this.#address) : error;
    }
  }

  policy(): Promise<SyncPolicy> {
    return this.#json("GET", "policy");
  }

  held(folders: readonly FolderRef[]): Promise<ServerFolder[]> {
    return this.#json("POST", "held", folders);
  }

  missing(digests: readonly string[]): Promise<string[]> {
    return this.#json("POST", "missing", digests);
  }

  async putSegment({ digest, codec, stored }: SentSegment): Promise<void> {
    await this.#ask("PUT", `segments/${digest}?codec=${codec}`, Uint8Array.from(stored));
  }

  putFile(file: SentFile): Promise<PutFileResult> {
    return this.#json("POST", "files", file);
  }

  async putRows(session: SentSession): Promise<void> {
    await this.#json("POST", "told", session);
  }

  sessions(): Promise<ServerSession[]> {
    return this.#json("GET", "sessions");
  }

  async dropRows(names: readonly ServerSession[]): Promise<void> {
    await this.#json("POST", "drop", names);
  }

  open(asked: ShareRequest): Promise<{ source: string; id: string }> {
    return this.#json("POST", "open", asked);
  }

  async close(session: string): Promise<void> {
    await this.#json("POST", "close", { session });
  }

  find(session: string): Promise<PulledSession> {
    return this.#json("GET", `sessions/${encodeURIComponent(session)}`);
  }

  async read({ id, from, to }: FilePart): Promise<Uint8Array> {
    const response = await this.#ask("GET", `files/${id}?from=${from}&to=${to}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#ask(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    return (await response.json()) as T;
  }

  /** Retries failed requests with growing pauses; every request is idempotent. */
  async #ask(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Response> {
    let busyMs = 0;
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(method, path, body).catch((error: unknown) => error);
      if (response instanceof Response && response.ok) return response;
      const isLast = tries === MOST_TRIES;
      if (!(response instanceof Response)) {
        if (isLast) throw unreachable(this.#address, response);
      } else {
        const refusal = await refusalOf(response);
        if (isLast || isFinal(response, refusal)) throw refusal;
      }
      const isBusy = response instanceof Response && response.status === 429;
      const waitMs = pauseOf(response, tries);
      busyMs += waitMs;
      if (isBusy && busyMs < MOST_BUSY_MS) tries -= 1;
      await this.#wait(waitMs);
    }
  }

  #send(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
    const type = typeof body === "string" ? "application/json" : "application/octet-stream";
    return fetch(`${this.#address}/sync/${path}`, {
      method,
      headers: {
        "Pollux-Protocol": String(SYNC_PROTOCOL),
        ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { "Content-Type": type }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

/**
 * True if a retry would not help. Responses of a proxy, or broken connections, are retried. A full
 * disk (507) is final; the next run tries again.
 */
function isFinal({ status }: Response, { code }: PolluxError): boolean {
  if (code === UNKNOWN || status === 429) return false;
  return status < 500 || status === 507;
}

/** The server's `Retry-After` with jitter, else exponential backoff. */
function pauseOf(response: unknown, tries: number): number {
  const retryAfterS =
    response instanceof Response ? Number(response.headers.get("retry-after")) : 0;
  const ms = retryAfterS > 0 ? retryAfterS * 1000 * (1 + Math.random() / 2) : 250 * 2 ** tries;
  return Math.min(LONGEST_WAIT_MS, ms);
}

/** Throws unless the address is encrypted or on this machine. */
function safeAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? "");
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isHere)) {
    return address.replace(/\/+$/, "");
  }
  throw new PolluxError("wrong-usage", `"${address}" is not a valid server address.`, {
    remedy: "Use https://…; http:// is only allowed for this machine.",
  });
}

async function refusalOf(response: Response): Promise<PolluxError> {
  type ErrorBody = { error?: { code?: string; message?: string; remedy?: string | null } };
  const answer: ErrorBody = await response.json().then(
    (body) => body as ErrorBody,
    // A proxy may answer with an HTML page.
    () => ({}),
  );
  const { code = UNKNOWN, message = `The server answered ${response.status}.` } =
    answer.error ?? {};
  return new PolluxError(code, message, optional("remedy", answer.error?.remedy ?? undefined));
}

function noTeamServer(address: string): PolluxError {
  return new PolluxError("sync-refused", `${address} is no team's server.`, {
    remedy:
      "Ask the team's administrator for its address: `pollux serve` runs there on their store.",
  });
}

function unreachable(address: string, cause: unknown): PolluxError {
  return new PolluxError("sync-unreachable", `${address} does not answer.`, {
    remedy:
      "Check the address and the connection. Nothing is lost: everything stays in the archive, " +
      "and the next run sends it.",
    cause,
  });
}
