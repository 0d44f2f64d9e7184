import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { hrefOf } from "./address.ts";
import { timezone } from "./figures.ts";
import { setToken, token } from "./key.ts";
import { masking } from "./masking.ts";
import { ofOwner } from "./owner.ts";

/** A failed request, with the server's error. */
export class AskError extends Error {
  readonly status: number;
  readonly code: string;
  readonly remedy: string | null;

  constructor(
    status: number,
    details: { code?: string; message?: string; remedy?: string | null },
  ) {
    super(details.message ?? "Pollux did not answer.");
    this.status = status;
    this.code = details.code ?? "unreachable";
    this.remedy = details.remedy ?? null;
  }
}

/** - `open`: connected · `lost`: no response · `locked`: wrong token or password. */
export type Line = "open" | "lost" | "locked";
export const line = signal<Line>("open");
export const isPasswordNeeded = signal(false);
/** On a team's server: the proxy's sign-in is missing or has expired. */
export const isSignInNeeded = signal(false);
/**
 * Incremented when lists and sums have changed (`generation`) or single sessions have (`moves`).
 */
export const generation = signal(0);
export const moves = signal(0);

export interface Answered<T> {
  value: T;
  total: number;
}

export async function ask<T>(path: string, how: RequestInit = {}): Promise<Answered<T>> {
  const isDoing = how.method === "POST";
  const type = isDoing ? { "Content-Type": "application/json" } : {};
  const headers = { Accept: "application/json", ...bearer(token.value), ...type };
  let response: Response;
  try {
    const asked = isDoing ? path : wholePath(path, masking.peek());
    // Only a proxy redirects: to its sign-in page.
    response = await fetch(asked, { ...how, headers, redirect: "manual" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new AskError(0, { remedy: "Is `pollux serve` still running?" });
  }
  if (!response.ok) throw await refused(response);
  if (line.value === "locked") line.value = "open";
  const total = Number(response.headers.get("X-Total-Count") ?? 0);
  return { value: (await response.json()) as T, total };
}

/** Behind a proxy there is no token, and the Authorization header must stay free for the proxy. */
export function bearer(key: string): Record<string, string> {
  return key === "" ? {} : { Authorization: `Bearer ${key}` };
}

/**
 * Adds the shown owner, and whether secrets are masked. The server does the masking, so that the
 * page never holds what it does not show.
 */
function wholePath(path: string, how: "masked" | "plain"): string {
  const asked = ofOwner(path);
  return how === "plain" ? asked : `${asked}${asked.includes("?") ? "&" : "?"}mask=secrets`;
}

/** Converts an error response. */
export async function refused(response: Response): Promise<AskError> {
  const reply = (await response.json().catch(() => ({}))) as { error?: { code?: string } };
  const error = isOfProxy(response, reply)
    ? new AskError(401, { code: NOT_SIGNED_IN, message: "You are not signed in." })
    : new AskError(response.status, reply.error ?? {});
  if (error.status === 401) {
    isPasswordNeeded.value = error.code.includes("password");
    isSignInNeeded.value = error.code === NOT_SIGNED_IN;
    line.value = "locked";
  }
  return error;
}

const NOT_SIGNED_IN = "not-signed-in";

/** A proxy in front of a team's server replies with its own error or redirects to its sign-in. */
function isOfProxy({ type, status }: Response, { error }: { error?: { code?: string } }): boolean {
  return type === "opaqueredirect" || ([401, 403].includes(status) && error?.code === undefined);
}

export async function logIn(password: string): Promise<void> {
  const { value } = await ask<{ token: string }>("/api/login", { method: "POST", body: password });
  setToken(value.token);
  line.value = "open";
}

export interface Asking<T> {
  value: T | undefined;
  total: number;
  error: AskError | undefined;
  /** The answer is pending; `value` is undefined or belongs to the previous request. */
  isWaiting: boolean;
}

/** The usage of all time: the same request on every page, so that it is answered once. */
export function usageOfAllTime(by: "project" | "model"): string {
  return hrefOf("/api/usage", { timezone, by });
}

/** Cached answers, shown immediately when a page is visited again. */
const known = new Map<string, Answered<unknown>>();
const MOST_KNOWN = 60;

export type Freshness = "lists" | "sessions";

interface Outcome<T> {
  /** The last answer, and the request it belongs to. */
  answered?: { question: string; got: Answered<T> };
  failed?: { question: string; error: AskError };
}

/** Requests data, and requests it again after changes. The previous answer stays until then. */
export function useAnswer<T>(path: string | undefined, follows: Freshness = "lists"): Asking<T> {
  // Masking and owner are part of the cache key.
  const question = path === undefined ? undefined : wholePath(path, masking.value);
  const remembered = question === undefined ? undefined : known.get(question);
  const [{ answered, failed }, setOutcome] = useState<Outcome<T>>({});
  const version = follows === "lists" ? generation.value : generation.value + moves.value;
  const key = token.value;
  useEffect(() => {
    if (path === undefined || question === undefined) return undefined;
    const stop = new AbortController();
    const learn = async (): Promise<void> => {
      try {
        const got = await ask<T>(path, { signal: stop.signal });
        remember(question, got);
        setOutcome({ answered: { question, got } });
      } catch (error) {
        if (!(error instanceof AskError)) return;
        setOutcome((before) => ({ ...before, failed: { question, error } }));
      }
    };
    void learn();
    return () => stop.abort();
  }, [question, version, key]);
  const error = failed?.question === question ? failed?.error : undefined;
  const isOwn = answered?.question === question;
  const own = isOwn ? answered?.got : (remembered as Answered<T> | undefined);
  // After an error, do not show the answer to another request.
  const got = own ?? (error ? undefined : answered?.got);
  return { value: got?.value, total: got?.total ?? 0, error, isWaiting: !own && !error };
}

function remember(question: string, got: Answered<unknown>): void {
  known.delete(question);
  known.set(question, got);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}
