import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Watching } from "../ingest/watch.ts";
import { watchPaths } from "../ingest/watch.ts";
import type { Library } from "../library/library.ts";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { limitIdleConnections } from "./connections.ts";
import { CurrentLibrary } from "./current-library.ts";
import { Guard, isLoopback } from "./guard.ts";
import { Live } from "./live.ts";
import { Pages } from "./pages.ts";
import { RequestHandler } from "./handle-request.ts";

export interface ServeOptions {
  /** Opens the sessions; called again after every change on disk. */
  open: () => Promise<Library>;
  /** Opens the last known state without reading the disk. */
  openKnown?: () => Promise<Library>;
  now: () => number;
  /** Called with internal errors. */
  report?: (error: unknown) => void;
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Required if other machines can connect. */
  password?: string;
  /** The token in URLs; generated if absent. */
  key?: string;
  /** The folder of the built app. */
  webFolder: string;
  version: string;
}

export interface RunningServer {
  port: number;
  /** The URL to open; its fragment is the token, which browsers never send to a server. */
  url: string;
  /** A team's server: the URL has no token. */
  isShared?: true;
  /** A team's server without sign-in: people cannot use it. */
  isForMachinesOnly?: true;
  stop(): Promise<void>;
}

/** More than may be idle, so that there is room for active requests. */
const MOST_CONNECTIONS = 512;
/** Minimum number of characters; shorter passwords can be guessed despite the rate limit. */
const LEAST_PASSWORD = 8;
/** Time for running requests to finish at shutdown. */
const GRACE_MS = 2000;

/** Request timeouts and size limits. */
export const LIMITS: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // How often timeouts are checked; with the default of 30 s they would take up to three times as
  // long.
  connectionsCheckingInterval: 2_000,
};

/** Starts the server. Reads nothing before the first request. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, now, password } = options;
  if (!isLoopback(host) && password === undefined) throw passwordNeeded(host);
  if (password !== undefined && password.length < LEAST_PASSWORD) throw passwordTooShort();
  const server = createServer(LIMITS);
  server.maxConnections = MOST_CONNECTIONS;
  limitIdleConnections(server);
  const port = await listen(server, options);
  const token = options.key ?? randomBytes(24).toString("base64url");
  const live = new Live();
  const current = new CurrentLibrary({
    open: options.open,
    ...optional("openKnown", options.openKnown),
    now,
    refreshed: (generation) => live.tell("changed", { generation }),
  });
  const guard = new Guard({ token, host, port, now });
  const pages = new Pages(options.webFolder);
  const login = { guard, token, ...optional("password", password) };
  const handler = new RequestHandler({ ...options, login, guard, current, live, pages });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void handler.receive(request, response);
  });
  const watch = await watchSessions(options, () => {
    current.moved();
    live.tell("moved", {});
  });
  const stop = async (): Promise<void> => {
    await watch.close();
    live.close();
    // Running requests still need the library.
    await close(server);
    await current.close();
  };
  return { port, url: `http://${nameOf(host)}:${port}/#token=${token}`, stop };
}

/** Watches the session folders from the start; finding them reads no session. */
async function watchSessions({ open }: ServeOptions, changed: () => void): Promise<Watching> {
  const library = await open();
  const places = library.archive.watched();
  await library.close();
  return watchPaths(places, changed);
}

export function listen(
  server: Server,
  { host, port }: Pick<ServeOptions, "host" | "port">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, port)));
    server.listen({ host, port }, () => resolve(portOf(server.address(), port)));
  });
}

function portOf(address: AddressInfo | string | null, asked: number): number {
  return typeof address === "object" && address !== null ? address.port : asked;
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(impatient);
      resolve();
    });
    server.closeIdleConnections();
  });
}

export function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function cannotListen(error: NodeJS.ErrnoException, port: number): PolluxError {
  if (error.code === "EADDRINUSE") {
    return new PolluxError("port-taken", `Port ${port} is already in use.`, {
      remedy: "Choose another port with --port, or any free one with --port 0.",
      cause: error,
    });
  }
  const message = `The server cannot listen on this address (${error.code}).`;
  return new PolluxError("cannot-listen", message, { cause: error });
}

function passwordNeeded(host: string): PolluxError {
  return new PolluxError(
    "wrong-usage",
    `--host "${host}" makes your sessions reachable for others, so a password is required.`,
    { remedy: "Set POLLUX_PASSWORD, or leave out --host to serve only this machine." },
  );
}

function passwordTooShort(): PolluxError {
  return new PolluxError("wrong-usage", "The password in POLLUX_PASSWORD is too short.", {
    remedy: `Use at least ${LEAST_PASSWORD} characters.`,
  });
}
