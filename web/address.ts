import { computed, signal } from "@preact/signals";

/** The current URL. It holds the whole state of a view, so that views can be bookmarked. */
const current = signal(readAddress());

interface Address {
  path: string;
  query: URLSearchParams;
  hash: string;
}

export const address = computed(() => current.value);

function readAddress(): Address {
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash };
}

/** Navigates within the app. The shown owner stays the same, although links do not name it. */
export function go(href: string, how: "push" | "replace" = "push"): void {
  goTo(withKept(href), how);
}

const KEPT = ["owner", "look"];

function withKept(href: string): string {
  const [rest = "", hash = ""] = href.split(/(?=#)/);
  const [path = "", text = ""] = rest.split("?");
  const query = new URLSearchParams(text);
  const { query: now } = current.value;
  for (const name of KEPT) if (!query.has(name)) query.set(name, now.get(name) ?? "");
  return `${hrefOf(path, Object.fromEntries(query))}${hash}`;
}

/** Navigates to exactly this URL, whoever was shown before. */
export function goTo(href: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  current.value = readAddress();
  if (how === "push" && !href.includes("#")) window.scrollTo(0, 0);
}

/** The current page with some parameters changed; empty ones are removed. */
export function hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
  const { path, query } = current.value;
  return hrefOf(path, { ...Object.fromEntries(query), ...changes });
}

export function hrefOf(
  path: string,
  values: Readonly<Record<string, string | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Ids that sessions of several agents have; normally none. */
export const sharedIds = signal<ReadonlySet<string>>(new Set());

interface NamedSession {
  id: string;
  source: string;
}

/** The name of a session in requests and links: its id, with the agent if another has it, too. */
export function nameOf({ id, source }: NamedSession): string {
  return sharedIds.value.has(id) ? `${source}:${id}` : id;
}

export function sessionHref(session: NamedSession): string {
  return `/sessions/${encodeURIComponent(nameOf(session))}`;
}

export interface MessagePlace {
  source: string;
  sessionId: string;
  /** `null` links to the session as a whole. */
  messageId: string | null;
  /** Words to highlight. */
  find?: string;
  /** Whose session it is, if the page is about somebody else. */
  owner?: string | undefined;
}

/** The link to a message in its session. */
export function messageHref(place: MessagePlace): string {
  const { source, sessionId, messageId, find, owner } = place;
  const session = hrefOf(sessionHref({ source, id: sessionId }), { find, owner });
  return messageId === null ? session : `${session}#m-${encodeURIComponent(messageId)}`;
}

/** Links that were extended by the shown owner, with their original href. */
const named = new WeakMap<Element, { plain: string; full: string }>();

/** Adds the shown owner to a link before it is opened in another tab, copied or dragged. */
function nameShown({ target }: Event): void {
  const link = target instanceof Element ? target.closest("a") : null;
  const href = link?.getAttribute("href") ?? "";
  if (!link || !href.startsWith("/")) return;
  const before = named.get(link);
  const plain = before?.full === href ? before.plain : href;
  const full = withKept(plain);
  named.set(link, { plain, full });
  link.setAttribute("href", full);
}

/** Handles links inside the app without reloading the page. */
export function followLinks(): void {
  window.addEventListener("popstate", () => (current.value = readAddress()));
  for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, nameShown);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !isPlain || event.altKey || link.target !== "" || link.hasAttribute("download")) {
      return;
    }
    const url = new URL(link.href, window.location.href);
    if (url.origin !== window.location.origin) return;
    const { pathname, search } = window.location;
    if (url.hash !== "" && url.pathname === pathname && url.search === search) return;
    event.preventDefault();
    go(`${url.pathname}${url.search}${url.hash}`);
  });
}
