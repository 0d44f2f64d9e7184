import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { About } from "../answers.ts";
import type { AskError } from "../ask.ts";
import { isPasswordNeeded, isSignInNeeded, logIn, useAnswer } from "../ask.ts";
import { setToken } from "../key.ts";
import { Coded } from "./coded.tsx";

/** Placeholder for content that is loading. */
export function Skeleton({ lines = 4, height }: { lines?: number; height?: number }) {
  const bones = Array.from({ length: height === undefined ? lines : 1 }, (_, at) => at);
  return (
    <div class="skeleton" role="status">
      <span class="hidden-label">Reading…</span>
      {bones.map((at) => (
        <i key={at} style={height === undefined ? {} : { height: `${height}px` }} />
      ))}
    </div>
  );
}

/** Placeholder for a whole page. */
export function Waiting() {
  return (
    <div class="stack">
      <Skeleton lines={1} />
      <Skeleton height={180} />
      <Skeleton lines={6} />
    </div>
  );
}

export interface PendingProps {
  isWaiting: boolean;
  children: ComponentChildren;
}

/** Shows the previous answer dimmed while the new one is loading. */
export function Pending({ isWaiting, children }: PendingProps) {
  return (
    <div class={isWaiting ? "fade pending" : "fade"} aria-busy={isWaiting}>
      {isWaiting && (
        <p class="pending-mark badge accent" role="status">
          Updating…
        </p>
      )}
      {children}
    </div>
  );
}

export function NotFound() {
  return (
    <section class="state">
      <h1>Page not found</h1>
      <p class="soft">
        There is no page at this address. Try the <a href="/">overview</a> or{" "}
        <a href="/sessions">all sessions</a>.
      </p>
    </section>
  );
}

/** An error and its remedy, in place of a page or part of one. */
export function Failed({ error, isPage = false }: { error: AskError; isPage?: boolean }) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <section class="state" role="alert">
      <Heading>{error.status === 404 ? "Not found" : "That did not work"}</Heading>
      <p>
        <Coded text={error.message} />
      </p>
      {error.remedy !== null && (
        <p class="soft">
          <Coded text={error.remedy} />
        </p>
      )}
      <p class="soft small">
        <code>{error.code}</code>
      </p>
    </section>
  );
}

/** No sessions yet: shows which folders were searched, and what to do. */
export function Empty() {
  const { value } = useAnswer<About>("/api/about");
  if (value && value.team !== null) return <NothingSent />;
  const programs = value?.sources.join(" or ") ?? "your agent";
  return (
    <section class="state">
      <h1>No sessions yet</h1>
      <p class="soft">They appear here when you use {programs} on this machine.</p>
      {value && (
        <ul class="small">
          {value.roots.map(({ path, because, isFound }) => (
            <li key={path}>
              <code>{path}</code>{" "}
              <span class="soft">
                {because}, {isFound ? "no sessions in it" : "does not exist"}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="soft">To read another folder, or to try Pollux with demo data:</p>
      <pre>{"pollux serve --root FOLDER\npollux serve --demo"}</pre>
    </section>
  );
}

/** A team's server has no session folders. */
function NothingSent() {
  return (
    <section class="state">
      <h1>You have no sessions yet</h1>
      <p class="soft">
        They appear here when one of your machines sends them. <a href="/team">Add a machine</a>.
      </p>
    </section>
  );
}

/** The token is from an earlier start of the server, or a password is required. */
export function Locked() {
  return isSignInNeeded.value ? <SignedOut /> : <NoKey />;
}

/** Reloading the page lets the proxy ask for the sign-in again. */
function SignedOut() {
  return (
    <section class="state">
      <h1>You are not signed in</h1>
      <p class="soft">Your sign-in has expired or was refused.</p>
      <button class="button main" type="button" onClick={() => window.location.reload()}>
        Sign in
      </button>
    </section>
  );
}

const NO_KEY =
  "Run `pollux serve` on the machine with your sessions and open the address that it prints, or " +
  "paste it here. The key stays in this browser.";

function NoKey() {
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isPasswordNeeded.value) return setToken(text.split("#token=").at(-1)?.trim() ?? "");
    await logIn(text).catch((error: unknown) => {
      setComplaint(error instanceof Error ? error.message : "Something went wrong.");
    });
  };
  const label = isPasswordNeeded.value ? "Password" : "Address";
  return (
    <section class="state">
      <h1>{isPasswordNeeded.value ? "Password" : "This browser has no key"}</h1>
      <p class="soft">
        <Coded
          text={isPasswordNeeded.value ? "Ask the person who started this server for it." : NO_KEY}
        />
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label class="hidden-label" for="key">
          {label}
        </label>
        <input
          id="key"
          class="field"
          type="password"
          autoComplete="off"
          placeholder={isPasswordNeeded.value ? "Password" : "http://127.0.0.1:4747/#token=…"}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="button main" type="submit">
          Open
        </button>
      </form>
      {complaint !== "" && <p role="alert">{complaint}</p>}
    </section>
  );
}
