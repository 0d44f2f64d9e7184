import { useEffect, useRef, useState } from "preact/hooks";
import type { Explanation, Transcript } from "../../src/index.ts";
import { ask, AskError, generation, moves } from "../ask.ts";
import { token } from "../key.ts";
import { masking } from "../masking.ts";

const PAGE = 400;

export interface Loaded {
  /** The session as it was requested. */
  id: string;
  transcript: Transcript | undefined;
  /** Number of messages, including those not yet loaded. */
  total: number;
  error: AskError | undefined;
}

const NOTHING: Loaded = { id: "", transcript: undefined, total: 0, error: undefined };

/**
 * Loads a session page by page, and again as it grows. The old state is shown until it is complete.
 */
export function useTranscript(id: string): Loaded {
  const [state, setState] = useState<Loaded>(NOTHING);
  const shown = useRef("");
  const version = moves.value + generation.value;
  const key = `${token.value} ${masking.value}`;
  useEffect(() => {
    const stop = new AbortController();
    const isFirst = state.id !== id || shown.current !== key;
    shown.current = key;
    const show = (transcript: Transcript, total: number): void => {
      setState({ id, transcript, total, error: undefined });
    };
    load(id, { signal: stop.signal, shown: isFirst ? undefined : state, show }).catch(
      (error: unknown) => {
        if (error instanceof AskError) setState((before) => ({ ...before, error }));
      },
    );
    return () => stop.abort();
  }, [id, version, key]);
  return state;
}

interface Loading {
  signal: AbortSignal;
  shown: Loaded | undefined;
  show: (transcript: Transcript, total: number) => void;
}

async function load(id: string, { signal, shown, show }: Loading): Promise<void> {
  const path = `/api/sessions/${encodeURIComponent(id)}`;
  if (shown) {
    const { value, total } = await ask<Transcript>(`${path}?limit=0`, { signal });
    const isSame =
      total === shown.total &&
      JSON.stringify(value.session) === JSON.stringify(shown.transcript?.session);
    if (isSame) return;
  }
  const messages: Transcript["messages"] = [];
  for (;;) {
    const part = `${path}?offset=${messages.length}&limit=${PAGE}`;
    const { value, total } = await ask<Transcript>(part, { signal });
    messages.push(...value.messages);
    const isWhole = messages.length >= total || value.messages.length === 0;
    if (isWhole || !shown) show({ ...value, messages: [...messages] }, total);
    if (isWhole) return;
  }
}

export type Priced = ReadonlyMap<string, Explanation["requests"][number]>;

/** The costs of one session, by message. */
export function pricesOf(explanation: Explanation | undefined, sessionId: string): Priced {
  const own = explanation?.requests.filter((request) => request.sessionId === sessionId) ?? [];
  return new Map(own.map((request) => [request.messageId, request]));
}
