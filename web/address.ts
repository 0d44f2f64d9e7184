import { computed, signal } from "@preact/signals";

/** Where the visitor is. All that a view shows is in the address, so that it can be kept. */
const current = signal(readAddress());

export interface Address {
  path: string;
  query: URLSearchParams;
  hash: string;
}

export const address = computed(() => current.value);

function readAddress(): Address {
  const { pathname, search, hash } = window.location;
  return { path: pathname, query: new URLSearchParams(search), hash };
}

/** Whoever is shown stays shown: links say nothing about that. */
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

/** To exactly this address, whoever was shown before. */
export function goTo(href: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  current.value = readAddress();
  if (how === "push" && !href.includes("#")) window.scrollTo(0, 0);
}

/** The same page with some parameters changed; empty ones are left away. */
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

export interface MessagePlace {
  sessionId: string;
  /** The session as a whole, when no message of it is known. */
  messageId: string | null;
  /** Words that are marked there. */
  find?: string;
}

/** To a message itself, inside of its session. */
export function messageHref({ sessionId, messageId, find }: MessagePlace): string {
  const session = hrefOf(`/sessions/${encodeURIComponent(sessionId)}`, { find });
  return messageId === null ? session : `${session}#m-${encodeURIComponent(messageId)}`;
}

/** Links that name who is shown, and what they were before. */
const named = new WeakMap<Element, { plain: string; full: string }>();

/** A link that is opened in another tab, copied or dragged is about whoever is shown here. */
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

/** Links inside of the app change the address without loading the page again. */
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
