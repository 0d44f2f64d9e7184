import { computed } from "@preact/signals";
import { address, hrefOf } from "./address.ts";

/**
 * Whose sessions are shown on a team's server: the user's own, unless the URL names a person who
 * has opened sessions (`owner`), or an auditor's look at one session (`look`).
 */
export const owner = computed(() => address.value.query.get("owner") ?? "");
const look = computed(() => address.value.query.get("look") ?? "");

/** Link to one of the user's own sessions, whoever is shown. */
export function ownSessionHref(id: string): string {
  return `/sessions/${encodeURIComponent(id)}?owner=&look=`;
}

/** Adds the shown owner to a request. Requests about the user and the team stay unchanged. */
export function ofOwner(path: string): string {
  if (owner.value === "" || /^\/api\/(me|team|live|login)(\/|\?|$)/.test(path)) return path;
  const more = hrefOf("", { owner: owner.value, look: look.value }).slice(1);
  return `${path}${path.includes("?") ? "&" : "?"}${more}`;
}
