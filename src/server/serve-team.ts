import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { PolluxError } from "../core/error.ts";
import { optional } from "../core/optional.ts";
import type { OwnerRequest } from "../library/team/team-owners.ts";
import { viewerOf } from "../library/team/team-owners.ts";
import type { TeamAdmin } from "../library/team/team.ts";
import type { Person, Viewer } from "../store/team.ts";
import type { SignIn } from "../team/sign-in.ts";
import { IngestQueue } from "../team/ingest-queue.ts";
import { limitIdleConnections } from "./connections.ts";
import { CurrentLibrary } from "./current-library.ts";
import { addressOf, RequestHandler } from "./handle-request.ts";
import { Live } from "./live.ts";
import { Pages } from "./pages.ts";
import { ProxyGuard } from "./guard.ts";
import { errorReply, replyTo, send } from "./reply.ts";
import type { Reply } from "./reply.ts";
import type { ShownOwner } from "./route.ts";
import type { RunningServer } from "./serve.ts";
import { close, LIMITS, listen, nameOf } from "./serve.ts";
import { SyncRequests } from "./sync-requests.ts";
import { TeamRequests } from "./team-requests.ts";
import { DAY_MS } from "../core/instant.ts";

export interface TeamServeOptions {
  admin: TeamAdmin;
  /** Absent: machines can send, but people cannot sign in. */
  signIn?: SignIn;
  now: () => number;
  report: (error: unknown) => void;
  host: string;
  port: number;
  webFolder: string;
  version: string;
}

/** Serves a team: machines that send, and people authenticated by a reverse proxy. */
export async function serveTeam(options: TeamServeOptions): Promise<RunningServer> {
  const server: Server = createServer(LIMITS);
  limitIdleConnections(server);
  const visitors = new Visitors(options);
  const { team } = options.admin;
  const queue = new IngestQueue(team, {
    read: (person) => options.admin.readArrived(person),
    report: options.report,
    done: (person) => visitors.moved(person),
  });
  const sync = new SyncRequests({ team, now: options.now, arrived: (person) => queue.add(person) });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void receive({ request, response, sync, visitors, options });
  });
  const port = await listen(server, options);
  await queue.begin();
  const retain = (): void => void options.admin.retain().catch(options.report);
  retain();
  const daily = setInterval(retain, DAY_MS);
  const stop = async (): Promise<void> => {
    clearInterval(daily);
    await close(server);
    await queue.close();
    await visitors.close();
  };
  const url = `http://${nameOf(options.host)}:${port}/`;
  const forWhom = options.signIn ? {} : { isForMachinesOnly: true as const };
  return { port, url, isShared: true, ...forWhom, stop };
}

interface Received {
  request: IncomingMessage;
  response: ServerResponse;
  sync: SyncRequests;
  visitors: Visitors;
  options: TeamServeOptions;
}

async function receive({ request, response, sync, visitors, options }: Received): Promise<void> {
  request.on("error", () => response.destroy());
  try {
    const address = addressOf(request.url ?? "/");
    if (!address) {
      send(request, response, errorReply(400, { code: "garbage", message: "Invalid address." }));
    } else if (address.pathname.startsWith("/sync/")) {
      send(request, response, await sync.answer(request, address));
    } else {
      await visitors.receive(request, response, address);
    }
  } catch (error) {
    if (!(error instanceof PolluxError)) options.report(error);
    send(request, response, replyTo(error));
  }
}

/** Handles requests of people, each with access to their own sessions. */
class Visitors {
  readonly #options: TeamServeOptions;
  readonly #team: TeamRequests;
  readonly #pages: Pages;
  readonly #guard = new ProxyGuard();
  readonly #handlers = new Map<number, Visitor>();

  constructor(options: TeamServeOptions) {
    this.#options = options;
    this.#team = new TeamRequests(options);
    this.#pages = new Pages(options.webFolder);
  }

  async receive(request: IncomingMessage, response: ServerResponse, address: URL): Promise<void> {
    const person = await this.#options.signIn?.personOf(request.headers);
    if (!person) return send(request, response, notSignedIn(this.#options.signIn));
    if (/^\/api\/(team|me)(\/|$)/.test(address.pathname)) {
      const refusal = this.#guard.refuseQuestion(request);
      if (refusal) return send(request, response, errorReply(refusal.status, refusal));
      return send(request, response, await this.#team.answer(request, { address, person }));
    }
    const owner = ownerIn(address, person);
    if (owner) return this.#showOther(person, owner, { request, response });
    await this.#handlerOf(person).handler.receive(request, response);
  }

  /**
   * Shows sessions of another person, as far as row-level security allows. Nothing is cached
   * between requests, so access ends as soon as it is revoked or expires.
   */
  async #showOther(
    person: Person,
    asked: OwnerRequest,
    { request, response }: Pick<Received, "request" | "response">,
  ): Promise<void> {
    const { viewer, owner } = await viewerOf(this.#options.admin.team, person, asked);
    const { handler, current } = this.#visitor(viewer, {
      name: owner.name,
      subject: owner.subject,
    });
    try {
      await handler.receive(request, response);
    } finally {
      await current.close();
    }
  }

  #handlerOf({ id }: Person): Visitor {
    const known = this.#handlers.get(id);
    if (known) return known;
    const visitor = this.#visitor({ viewer: id, role: "developer" });
    this.#handlers.set(id, visitor);
    return visitor;
  }

  #visitor(viewer: Viewer, owner?: ShownOwner): Visitor {
    const { admin, now, version, report } = this.#options;
    const live = new Live();
    const current = new CurrentLibrary({
      open: async () => admin.library(viewer),
      now,
      refreshed: (generation) => live.tell("changed", { generation }),
    });
    const [guard, pages] = [this.#guard, this.#pages];
    const shared = { team: admin.team.tenant.name, ...optional("owner", owner) };
    const options = { guard, current, live, pages, now, version, report, shared };
    return { handler: new RequestHandler(options), current, live };
  }

  moved(person: number): void {
    this.#handlers.get(person)?.current.moved();
  }

  async close(): Promise<void> {
    for (const { current, live } of this.#handlers.values()) {
      await current.close();
      live.close();
    }
  }
}

/** The other person whose sessions are requested; undefined for one's own. */
function ownerIn({ pathname, searchParams }: URL, { subject }: Person): OwnerRequest | undefined {
  const owner = searchParams.get("owner") ?? "";
  const isQuestion = pathname.startsWith("/api/") && pathname !== "/api/live";
  if (!isQuestion || owner === "" || owner === subject) return undefined;
  const look = searchParams.get("look") ?? "";
  return { owner, ...optional("look", /^\d{1,15}$/.test(look) ? Number(look) : undefined) };
}

interface Visitor {
  handler: RequestHandler;
  current: CurrentLibrary;
  live: Live;
}

function notSignedIn(signIn: SignIn | undefined): Reply {
  return errorReply(401, {
    code: "not-signed-in",
    message: signIn
      ? "The request has no valid sign-in token."
      : "Sign-in is not configured: this server only receives what machines send.",
    remedy: signIn
      ? "Open Pollux through your team's sign-in address."
      : "Set POLLUX_OIDC_ISSUER and POLLUX_OIDC_AUDIENCE, behind a sign-in proxy.",
  });
}
