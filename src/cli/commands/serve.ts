import { wrongUsage } from "../../core/error.ts";
import { spawn } from "node:child_process";
import { optional } from "../../core/optional.ts";
import type { RunningServer } from "../../server/serve.ts";
import type { Command, Context } from "../command.ts";
import { EXIT } from "../exit.ts";
import { openLibrary } from "../open-library.ts";
import { webFolder } from "../package-folder.ts";
import { jsonLine } from "../print/json.ts";
import { safeLine } from "../print/safe.ts";
import { storeAddress } from "../store-address.ts";
import { version } from "../version.ts";

const DEFAULT_PORT = 4747;

/** What `--json` prints, on one line, once the server listens. */
export type ServeAnswer = Pick<RunningServer, "url" | "port">;

export const command: Command = {
  about:
    "Starts a web server that only this machine can reach. The printed address contains a key " +
    "that stays the same, so bookmarks keep working. The pages load nothing from the internet. " +
    "Control-C stops it.",
  options: [
    {
      flags: "--port <number>",
      about: `port to listen on (default: ${DEFAULT_PORT}); 0 picks a free one`,
    },
    { flags: "--open", about: "open the page in your browser" },
    { flags: "--new-key", about: "create a new key; earlier addresses stop working" },
    {
      flags: "--read <address>",
      about: "for a team's store: read team-wide sums from this replica (postgres://…)",
    },
    {
      flags: "--host <address>",
      about:
        "listen on this address for other machines; requires POLLUX_PASSWORD, except on a team's store",
    },
  ],
  examples: [
    { line: "serve --open", about: "start it and open the browser" },
    { line: "serve --demo", about: "with the demo sessions" },
    { line: "serve --port 0 --json", about: "any free port; print the address as JSON" },
  ],
  async run(context) {
    const { options } = context;
    const running = (await serveShared(context)) ?? (await serveOwn(context));
    await printAddress(running, context);
    if (options.has("open")) openBrowser(running.url);
    await interrupted();
    await running.stop();
    return EXIT.ok;
  },
};

async function serveOwn(context: Context): Promise<RunningServer> {
  const { options, env } = context;
  const password = env["POLLUX_PASSWORD"];
  const known = () => openLibrary(options.without("refresh"), env);
  const { serve } = await import("../../server/serve.ts");
  const { serverKey } = await import("../../library/server-key.ts");
  const which = options.has("newKey") ? "new" : "same";
  // The demo stores nothing.
  const key = options.has("demo") ? undefined : serverKey(env, which);
  return serve({
    // Ingests in a thread, so that pages are served meanwhile.
    open: () => openLibrary(options, env, { ingest: "thread" }),
    ...optional("openKnown", hasKnown(context) ? known : undefined),
    report: (error) => void context.err.line(safeLine(String(error))),
    now: clockOf(context),
    host: options.text("host") ?? "127.0.0.1",
    port: portOf(options.text("port")),
    ...optional("password", password === "" ? undefined : password),
    ...optional("key", key),
    webFolder: webFolder(),
    version,
  });
}

/** Serves a team's store: machines send to it, and a reverse proxy authenticates people. */
async function serveShared(context: Context): Promise<RunningServer | undefined> {
  const { options, env, err } = context;
  const address = storeAddress(options, env);
  if (!address || options.has("demo")) return undefined;
  const { teamAt } = await import("../../library/team/team.ts");
  const replica = optional("replica", options.text("read"));
  const admin = await teamAt(address, { clock: () => Date.now(), ...replica });
  if (!admin) return undefined;
  const signIn = await admin.signIn(env);
  const { serveTeam } = await import("../../server/serve-team.ts");
  const running = await serveTeam({
    admin,
    ...optional("signIn", signIn),
    report: (error) => void err.line(safeLine(String(error))),
    now: () => Date.now(),
    host: options.text("host") ?? "127.0.0.1",
    port: portOf(options.text("port")),
    webFolder: webFolder(),
    version,
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    await admin.close();
  };
  return { ...running, stop };
}

/** An archive has a last known state; the disk has none. */
function hasKnown({ options }: Context): boolean {
  return !options.has("demo") && !options.has("fresh");
}

/** A clock that starts at the run's `now`, because the demo has its own date. */
function clockOf({ now }: Context): () => number {
  const ahead = now.getTime() - Date.now();
  return () => Date.now() + ahead;
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw wrongUsage(`--port takes a number from 0 to 65535, not "${text}".`);
}

async function printAddress(
  { url, port, isShared, isForMachinesOnly }: RunningServer,
  context: Context,
): Promise<void> {
  const { out, err, style, options } = context;
  if (context.isJson) {
    const answer: ServeAnswer = { url, port };
    await out.line(jsonLine(answer));
    return;
  }
  await out.line(`Pollux is at ${style.bold(url)}`);
  if (isShared === true) {
    const people = isForMachinesOnly
      ? "People cannot open it: set POLLUX_OIDC_ISSUER and POLLUX_OIDC_AUDIENCE, behind a sign-in proxy."
      : "People open it through the sign-in proxy.";
    await err.line(style.dim(`Machines send sessions to this address. ${people}`));
    return;
  }
  await err.line(
    style.dim("The address contains a key: anyone who has it can read your sessions."),
  );
  const host = options.text("host");
  if (host !== undefined) {
    const reach = `Listening on ${safeLine(host)}, unencrypted: only for networks that you trust.`;
    await err.line(reach);
  }
  await err.line(style.dim("Control-C stops it."));
}

function openBrowser(url: string): void {
  const [program, ...args] = browserCommand(url, process.platform);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  // No browser found: the URL is printed anyway.
  child.on("error", () => undefined);
  child.unref();
}

export function browserCommand(url: string, platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  // `start` is a shell built-in, and `explorer` splits its arguments at `=`.
  return platform === "win32"
    ? ["rundll32", "url.dll,FileProtocolHandler", url]
    : ["xdg-open", url];
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
