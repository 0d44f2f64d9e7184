import { Fragment } from "preact";
import type { MessageAnswer } from "../../src/index.ts";
import { brief, exact, money } from "../figures.ts";
import type { Priced } from "./load.ts";
import { isBlank, Message } from "./message.tsx";

export interface TurnsProps {
  messages: readonly MessageAnswer[];
  sessionId: string;
  prices: Priced;
}

interface Turn {
  number: number;
  messages: MessageAnswer[];
}

/** The conversation by turns: a prompt and everything until the next one. */
export function Turns({ messages, sessionId, prices }: TurnsProps) {
  const shown = messages.filter((message) => !isBlank(message));
  const firstOwn = shown.find(({ isInherited }, at) => {
    return !isInherited && shown[at - 1]?.isInherited === true;
  });
  return (
    <>
      {turnsOf(shown).map((turn) => (
        <section key={turn.messages[0]?.id} class="turn" aria-label={`Turn ${turn.number}`}>
          {turn.messages.map((message) => (
            <Fragment key={message.id}>
              {message === firstOwn && (
                <p class="dividing-mark soft">
                  Messages up to here come from the session that this one continues
                </p>
              )}
              <Message message={message} sessionId={sessionId} price={prices.get(message.id)} />
            </Fragment>
          ))}
          <TurnSum turn={turn} prices={prices} />
        </section>
      ))}
    </>
  );
}

export function turnsOf(messages: readonly MessageAnswer[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const current = turns.at(-1);
    if (message.isPrompt || !current) {
      turns.push({ number: message.isPrompt ? promptsOf(turns) + 1 : 0, messages: [message] });
    } else current.messages.push(message);
  }
  return turns;
}

function promptsOf(turns: readonly Turn[]): number {
  return turns.filter(({ number }) => number > 0).length;
}

function TurnSum({ turn, prices }: { turn: Turn; prices: Priced }) {
  const paid = turn.messages.flatMap(({ id }) => prices.get(id) ?? []);
  if (paid.length === 0) return null;
  const tokens = paid.reduce((sum, item) => sum + item.tokens.total, 0);
  const known = paid.flatMap(({ costMicroUsd }) => costMicroUsd ?? []);
  const cost = known.length === 0 ? null : known.reduce((sum, item) => sum + item, 0);
  return (
    <p class="turn-sum soft small">
      <span title={exact(tokens)}>{brief(tokens)} tokens</span> ·{" "}
      {cost === null ? "price unknown" : money(cost)} ·{" "}
      {paid.length === 1 ? "1 request" : `${paid.length} requests`}
    </p>
  );
}
