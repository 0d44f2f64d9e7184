import { computed } from "@preact/signals";
import { address, hrefOf } from "./address.ts";

/**
 * Whose sessions are shown on a team's server: one's own, unless the address names somebody who has
 * opened some of theirs (`owner`), or an auditor's look at one of them (`look`).
 */
export const owner = computed(() => address.value.query.get("owner") ?? "");
const look = computed(() => address.value.query.get("look") ?? "");

/** A session of one's own, whoever is shown. */
export function ownSessionHref(id: string): string {
  return `/sessions/${encodeURIComponent(id)}?owner=&look=`;
}

/** A question about whoever is shown. Those about oneself and about the team stay as they are. */
export function ofOwner(path: string): string {
  if (owner.value === "" || /^\/api\/(me|team|live|login)(\/|\?|$)/.test(path)) return path;
  const more = hrefOf("", { owner: owner.value, look: look.value }).slice(1);
  return `${path}${path.includes("?") ? "&" : "?"}${more}`;
}
