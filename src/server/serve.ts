import { randomBytes } from "node:crypto";
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Watching } from "../ingest/watch.ts";
import { watchPlaces } from "../ingest/watch.ts";
import type { Library } from "../library/library.ts";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import { freeSlots } from "./connections.ts";
import { CurrentLibrary } from "./current-library.ts";
import { Guard, isLoopback } from "./guard.ts";
import { Live } from "./live.ts";
import { Pages } from "./pages.ts";
import { RequestHandler } from "./handle-request.ts";

export interface ServeOptions {
  /** Opens the sessions; again whenever something moved on the disk. */
  open: () => Promise<Library>;
  /** What was known when it was last looked, without a look at the disk. */
  openKnown?: () => Promise<Library>;
  now: () => number;
  /** Told of mistakes of our own. */
  report?: (error: unknown) => void;
  host: string;
  /** 0 takes any that is free. */
  port: number;
  /** Needed when others than this machine can reach it. */
  password?: string;
  /** What addresses end with; made anew when none is given. */
  key?: string;
  /** Where the built app lies. */
  webFolder: string;
  version: string;
}

export interface RunningServer {
  port: number;
  /** What to open; its end is the token and is never sent to any server. */
  url: string;
  /** It is a team's: the address holds no key. */
  isShared?: true;
  stop(): Promise<void>;
}

/** More than may wait, so that there is room for those who are being answered. */
const MOST_CONNECTIONS = 512;
/** Characters; fewer are guessed, however often the door stays shut for a while. */
const LEAST_PASSWORD = 8;
/** What is still being answered may end by itself for so long. */
const GRACE_MS = 2000;

/** How long anybody may take. */
export const LIMITS: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // How often the two limits are looked after; the usual half a minute would triple them.
  connectionsCheckingInterval: 2_000,
};

/** Starts to answer. Nothing is read before the first question. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host, now, password } = options;
  if (!isLoopback(host) && password === undefined) throw passwordNeeded(host);
  if (password !== undefined && password.length < LEAST_PASSWORD) throw passwordTooShort();
  const server = createServer(LIMITS);
  server.maxConnections = MOST_CONNECTIONS;
  freeSlots(server);
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
    await current.close();
    live.close();
    await close(server);
  };
  return { port, url: `http://${nameOf(host)}:${port}/#token=${token}`, stop };
}

/** Sessions are watched from the start; finding where they lie reads none. */
async function watchSessions({ open }: ServeOptions, tell: () => void): Promise<Watching> {
  const library = await open();
  const places = library.archive.watched();
  await library.close();
  return watchPlaces(places, tell);
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
    return new PolluxError("port-taken", `Port ${port} is taken.`, {
      remedy: "Choose another with --port, or take any free one with --port 0.",
      cause: error,
    });
  }
  const message = `The server cannot listen there (${error.code}).`;
  return new PolluxError("cannot-listen", message, { cause: error });
}

function passwordNeeded(host: string): PolluxError {
  return new PolluxError(
    "wrong-usage",
    `Others could reach the sessions on "${host}": that needs a password.`,
    { remedy: "Put one into POLLUX_PASSWORD, or leave --host away to serve this machine alone." },
  );
}

function passwordTooShort(): PolluxError {
  return new PolluxError("wrong-usage", "The password in POLLUX_PASSWORD is too short.", {
    remedy: `Give at least ${LEAST_PASSWORD} characters: others could guess it.`,
  });
}
