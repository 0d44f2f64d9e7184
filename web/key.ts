import { signal } from "@preact/signals";

/** The token from the URL. It is stored in the browser and removed from the URL. */
const PLACE = "pollux-token";

export const token = signal(takeToken());

function takeToken(): string {
  const given = /^#token=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (given === undefined) return window.localStorage.getItem(PLACE) ?? "";
  window.localStorage.setItem(PLACE, given);
  history.replaceState(null, "", window.location.pathname + window.location.search);
  return given;
}

export function setToken(value: string): void {
  window.localStorage.setItem(PLACE, value);
  token.value = value;
}

// Another tab was opened with the token of a newer server: use it here, too.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === PLACE && newValue !== null) token.value = newValue;
});
// Pasting a URL into an open tab changes only its fragment.
window.addEventListener("hashchange", () => {
  if (window.location.hash.startsWith("#token=")) token.value = takeToken();
});
