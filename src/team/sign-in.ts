import { createRemoteJWKSet, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { PolluxError } from "../core/error.ts";
import type { Person, Team } from "../store/team.ts";

/** Whose tokens are believed, and where a reverse proxy puts them. */
export interface SignInSettings {
  issuer: string;
  audience: string;
  /** The header of the proxy; `Bearer ` before the token is left out. */
  header: string;
  /** Where the keys are; as the issuer tells by default. */
  jwks?: string;
}

/** Keys of the issuer change rarely; this is how they are found. */
export type FindKeys = (settings: SignInSettings) => Promise<JWTVerifyGetKey>;

/**
 * Signing in is somebody else's: a reverse proxy asks the company's provider and hands over its
 * signed token. Here the signature, the issuer, the audience and the times are checked, every time.
 */
export class SignIn {
  readonly #team: Team;
  readonly #settings: SignInSettings;
  readonly #clock: () => number;
  readonly #findKeys: FindKeys;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  /** What was last told of somebody: teams are compared only when they change. */
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

  /** Who asks; nothing when the token is missing or is not to be believed. */
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

  /** Adds whoever signs in for the first time. Groups of the token are the teams. */
  async #enter(payload: JWTPayload): Promise<Person | undefined> {
    const { email, name, groups } = payload;
    const subject = typeof email === "string" ? email : (payload.sub ?? "");
    const teams = Array.isArray(groups) ? groups.map(String) : undefined;
    const claims = JSON.stringify([name, teams]);
    if (this.#known.get(subject) === claims) return this.#stillThere(subject);
    const called = typeof name === "string" ? name : subject;
    const { id } = await this.#team.people.put({ subject, name: called });
    if (teams) await this.#team.people.setTeams(id, teams, this.#clock());
    this.#known.set(subject, claims);
    return this.#stillThere(subject);
  }

  /** Roles may have changed, and whoever has left is not let in. */
  async #stillThere(subject: string): Promise<Person | undefined> {
    const person = await this.#team.people.find(subject);
    return person?.leftMs === undefined ? person : undefined;
  }
}

/** Whatever is wrong with a token, its bearer is nobody. A provider that is away is an error. */
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
  const told = response?.ok === true ? ((await response.json()) as { jwks_uri?: string }) : {};
  if (told.jwks_uri !== undefined) return told.jwks_uri;
  throw new PolluxError("sign-in", `${address} does not tell where its keys are.`, {
    remedy: "Name them with POLLUX_OIDC_JWKS.",
  });
}
