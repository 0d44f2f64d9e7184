import { hrefOf, messageHref } from "../address.ts";
import type { About, FoundHit, FoundTexts, Me } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { foundText } from "../found-text.ts";
import { owner } from "../owner.ts";
import { safeText } from "../safe-text.ts";
import { Found } from "./found.tsx";
import { Marked } from "./marked.tsx";

interface Shown {
  found: FoundTexts;
  words: string;
  /** The person whose sessions these are, if the page is about somebody else. */
  whose?: string;
}

/** Found texts, by session. */
export function FoundSessions({ found, words, whose }: Shown) {
  return (
    <>
      {found.sessions.map((session) => (
        <Found key={session.id} session={session} whose={whose}>
          {found.hits
            .filter(({ sessionId }) => sessionId === session.id)
            .map((hit, at) => (
              <Hit key={at} hit={hit} words={words} whose={whose} />
            ))}
        </Found>
      ))}
    </>
  );
}

function Hit({ hit, words, whose }: { hit: FoundHit; words: string; whose: string | undefined }) {
  return (
    <a class="hit" href={messageHref({ ...hit, find: words, owner: whose })} dir="auto">
      <span class="badge">{hit.role}</span>{" "}
      {hit.standing !== "live" && <span class="badge warn">taken back</span>}{" "}
      <Marked text={hit.snippet} marks={hit.marks} />
    </a>
  );
}

interface Asked {
  q: string;
  [name: string]: string | null | undefined;
}

/** Every owner is a request of its own. */
const MOST_OWNERS = 20;

/** Below the user's own results: those in sessions that others have opened to them. */
export function FoundElsewhere({ asked }: { asked: Asked }) {
  const isShared = (useAnswer<About>("/api/about").value?.team ?? null) !== null;
  const me = useAnswer<Me>(isShared && owner.value === "" ? "/api/me" : undefined);
  const owners = owner.value === "" ? (me.value?.owners ?? []) : [];
  return (
    <>
      {owners.slice(0, MOST_OWNERS).map((each) => (
        <OfOwner key={each.subject} subject={each.subject} name={each.name} asked={asked} />
      ))}
    </>
  );
}

function OfOwner({ subject, name, asked }: { subject: string; name: string; asked: Asked }) {
  const { value } = useAnswer<FoundTexts>(hrefOf("/api/search", { ...asked, owner: subject }));
  if (!value || value.hits.length === 0) return null;
  return (
    <section aria-label={`Opened by ${safeText(name)}`}>
      <h2>
        Opened by {safeText(name)} <span class="soft small">{foundText(value)}</span>
      </h2>
      <FoundSessions found={value} words={asked.q} whose={subject} />
    </section>
  );
}
