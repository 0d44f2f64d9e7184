import { timingSafeEqual, createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";

/** Why a request is rejected. */
export interface Refusal {
  status: 400 | 401 | 403 | 414 | 429;
  code: string;
  message: string;
  remedy?: string;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const LONGEST_ADDRESS = 4096;
/** A page sends a few requests at a time; a loop sends hundreds. */
const BURST = 400;
const PER_SECOND = 100;
const MOST_FAILURES = 10;
const FAILURES_FORGOTTEN_MS = 60_000;

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A password attempt that is not verified yet. */
export interface LoginAttempt {
  wasRight(): void;
}

/** Decides which requests are accepted. Runs before anything is read. */
export class Guard {
  readonly #token: Buffer;
  readonly #hosts: ReadonlySet<string>;
  readonly #now: () => number;
  #credit = BURST;
  #creditAtMs = 0;
  #guesses: { atMs: number }[] = [];

  constructor(options: { token: string; host: string; port: number; now: () => number }) {
    this.#token = digest(options.token);
    this.#now = options.now;
    const names = namesOf(options.host).map((name) => `${name}:${options.port}`);
    // Browsers omit the default port.
    const bare = options.port === 80 ? namesOf(options.host) : [];
    this.#hosts = new Set([...names, ...bare].map((name) => name.toLowerCase()));
  }

  /** Checks that apply to every request, including pages. */
  refuse({ url = "", headers, rawHeaders }: IncomingMessage): Refusal | undefined {
    // The parser uses the first Host header; a proxy in between may have used another.
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
    if (hosts.length > 1) {
      return {
        status: 400,
        code: "two-hosts",
        message: "The request has more than one Host header.",
      };
    }
    if (url.length > LONGEST_ADDRESS) {
      return { status: 414, code: "address-too-long", message: "The address is too long." };
    }
    // Prevents DNS rebinding: another site's name may point to this machine.
    if (!this.#hosts.has((headers.host ?? "").toLowerCase())) {
      const message = "This server does not accept requests for this host name.";
      return { status: 403, code: "wrong-host", message };
    }
    if (!this.#takeCredit()) {
      return { status: 429, code: "too-many-requests", message: "Too many requests at once." };
    }
    return undefined;
  }

  /** Checks that apply to API requests: they come from our own page and have the token. */
  refuseQuestion(request: IncomingMessage): Refusal | undefined {
    return this.refuseForeign(request) ?? this.#refuseToken(request);
  }

  refuseForeign({ headers }: IncomingMessage): Refusal | undefined {
    const { origin } = headers;
    const site = headers["sec-fetch-site"];
    const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${headers.host}`;
    const isCross = site !== undefined && site !== "same-origin" && site !== "none";
    if (!isForeign && !isCross) return undefined;
    return {
      status: 403,
      code: "wrong-origin",
      message: "Requests from other sites are refused.",
    };
  }

  /**
   * Registers a password attempt. It counts as wrong until it is verified, so that parallel
   * attempts are limited like sequential ones. Returns undefined after too many recent attempts.
   */
  admitGuess(): LoginAttempt | undefined {
    const recent = this.#recentGuesses();
    this.#guesses = recent;
    if (recent.length >= MOST_FAILURES) return undefined;
    const guess = { atMs: this.#now() };
    recent.push(guess);
    return { wasRight: () => void recent.splice(recent.indexOf(guess), 1) };
  }

  #refuseToken({ headers }: IncomingMessage): Refusal | undefined {
    const given = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? "")?.[1];
    if (given !== undefined && isSame(digest(given), this.#token)) return undefined;
    return {
      status: 401,
      code: "no-token",
      message: "This browser does not have the key of this machine's Pollux.",
      remedy: "Run `pollux serve --open`, or open the whole address that it prints.",
    };
  }

  #recentGuesses(): { atMs: number }[] {
    const since = this.#now() - FAILURES_FORGOTTEN_MS;
    return this.#guesses.filter(({ atMs }) => atMs > since);
  }

  #takeCredit(): boolean {
    const now = this.#now();
    const earned = ((now - this.#creditAtMs) / 1000) * PER_SECOND;
    this.#credit = Math.min(BURST, this.#credit + Math.max(0, earned));
    this.#creditAtMs = now;
    if (this.#credit < 1) return false;
    this.#credit -= 1;
    return true;
  }
}

/** The host names that this server accepts. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return LOOPBACK.includes(host) ? LOOPBACK : [host, ...LOOPBACK];
  const isEverywhere = host === "0.0.0.0" || host === "::";
  if (!isEverywhere) return [host.includes(":") ? `[${host}]` : host];
  const addresses = Object.values(networkInterfaces()).flatMap((many) => many ?? []);
  const named = addresses.map(({ address }) => (address.includes(":") ? `[${address}]` : address));
  return [...LOOPBACK, ...named];
}

export function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Compares in constant time. */
export function isSame(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}

/** Guard behind an authenticating proxy: there is no token, and the host name is the proxy's. */
export class ProxyGuard {
  refuse({ url = "" }: IncomingMessage): Refusal | undefined {
    if (url.length <= LONGEST_ADDRESS) return undefined;
    return { status: 414, code: "address-too-long", message: "The address is too long." };
  }

  /**
   * Browsers send the proxy's cookie with requests from any page, so other origins are rejected.
   */
  refuseQuestion({ headers }: IncomingMessage): Refusal | undefined {
    const site = headers["sec-fetch-site"];
    if (site === undefined || site === "same-origin" || site === "none") return undefined;
    const message = "Requests from other sites are refused.";
    return { status: 403, code: "wrong-origin", message };
  }

  refuseForeign(request: IncomingMessage): Refusal | undefined {
    return this.refuseQuestion(request);
  }
}
