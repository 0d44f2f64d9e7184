import { createRemoteJWKSet, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { PolluxError } from "../core/error.ts";
import type { Person, Team } from "../store/team.ts";

/** The trusted token issuer, and the proxy header that carries the token. */
export interface SignInSettings {
  issuer: string;
  audience: string;
  /** The header's name; a leading `Bearer ` is removed from its value. */
  header: string;
  /** URL of the issuer's keys; discovered from the issuer by default. */
  jwks?: string;
}

/** Fetches the issuer's keys, which change rarely. */
export type FindKeys = (settings: SignInSettings) => Promise<JWTVerifyGetKey>;

/**
 * Sign-in through a reverse proxy, which authenticates users at the company's provider and passes
 * on its signed token. Signature, issuer, audience and times are checked on every request.
 */
export class SignIn {
  readonly #team: Team;
  readonly #settings: SignInSettings;
  readonly #clock: () => number;
  readonly #findKeys: FindKeys;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  /** Last claims by subject; a person is updated only if they change. */
  readonly #known = new Map<string, string>();

  constructor(
    team: Team,
    settings: SignInSettings,
    { clock, findKeys = remoteKeys }: { clock: () => number; findKeys?: FindKeys },
  ) {
    this.#team = team;
    this.#settings = settings;
    this.#clock = clock;
    this.#findKeys = findKeys;
  }

  /** The signed-in person; undefined if the token is missing or invalid. */
  async personOf(
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<Person | undefined> {
    const { header, issuer, audience } = this.#settings;
    const given = headers[header.toLowerCase()];
    if (typeof given !== "string") return undefined;
    const token = given.replace(/^Bearer\s+/i, "");
    try {
      const keys = await (this.#keys ??= this.#findKeys(this.#settings));
      const currentDate = new Date(this.#clock());
      const options = { issuer, audience, currentDate, requiredClaims: ["exp", "sub"] };
      const { payload } = await jwtVerify(token, keys, options);
      return await this.#enter(payload);
    } catch (error) {
      if (isOfToken(error)) return undefined;
      this.#keys = undefined;
      throw error;
    }
  }

  /** Adds a person at their first sign-in. The token's groups are the teams. */
  async #enter(payload: JWTPayload): Promise<Person | undefined> {
    const { email, email_verified: isVerified, name, groups } = payload;
    // Anybody could claim an address that the provider has not verified.
    const hasEmail = typeof email === "string" && isVerified !== false;
    const subject = hasEmail ? email : (payload.sub ?? "");
    const teams = Array.isArray(groups) ? groups.map(String) : undefined;
    const claims = JSON.stringify([name, teams]);
    if (this.#known.get(subject) === claims) return this.#stillThere(subject);
    const called = typeof name === "string" ? name : subject;
    const { id } = await this.#team.people.put({ subject, name: called });
    if (teams) await this.#team.people.setTeams(id, teams, this.#clock());
    this.#known.set(subject, claims);
    return this.#stillThere(subject);
  }

  /** Reads the person again, as roles may have changed; undefined if the person has left. */
  async #stillThere(subject: string): Promise<Person | undefined> {
    const person = await this.#team.people.find(subject);
    return person?.leftMs === undefined ? person : undefined;
  }
}

/**
 * True if the token is at fault: the request is then anonymous. An unreachable provider is an
 * error.
 */
function isOfToken(error: unknown): boolean {
  const { code = "" } = error as { code?: string };
  return /^ERR_(JW|JOSE)/.test(code) && code !== "ERR_JWKS_TIMEOUT";
}

async function remoteKeys({ issuer, jwks }: SignInSettings): Promise<JWTVerifyGetKey> {
  return createRemoteJWKSet(new URL(jwks ?? (await discovered(issuer))));
}

async function discovered(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  );
  const configuration =
    response?.ok === true ? ((await response.json()) as { jwks_uri?: string }) : {};
  if (configuration.jwks_uri !== undefined) return configuration.jwks_uri;
  throw new PolluxError(
    "sign-in",
    `${address} does not state the address of its keys (jwks_uri).`,
    {
      remedy: "Set it with POLLUX_OIDC_JWKS.",
    },
  );
}
