import { signal } from "@preact/signals";

/** The token that the address was opened with. It is kept by the browser and leaves the address. */
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

// Another tab was opened with the token of a newer start: this one goes on with it.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === PLACE && newValue !== null) token.value = newValue;
});
// A whole address pasted into a tab that is already here changes nothing but its end.
window.addEventListener("hashchange", () => {
  if (window.location.hash.startsWith("#token=")) token.value = takeToken();
});
