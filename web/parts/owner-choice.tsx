import { goTo, hrefOf } from "../address.ts";
import type { Me } from "../answers.ts";
import { useAnswer } from "../ask.ts";
import { counted } from "../figures.ts";
import { owner } from "../owner.ts";
import { safeText } from "../safe-text.ts";

/** On a team's server: whose sessions are shown. Offers only people who have opened some. */
export function OwnerChoice() {
  const { value: me } = useAnswer<Me>("/api/me");
  const chosen = owner.value;
  const owners = me?.owners ?? [];
  if (!me || (owners.length === 0 && chosen === "")) return null;
  const isListed = chosen === "" || owners.some(({ subject }) => subject === chosen);
  return (
    <select
      class="field owner-choice"
      aria-label="Whose sessions"
      value={chosen}
      onChange={(event) => goTo(hrefOf("/sessions", { owner: event.currentTarget.value }))}
    >
      <option value="">Your sessions</option>
      {owners.map(({ subject, name, opened }) => (
        <option key={subject} value={subject}>
          {safeText(name)}: {counted(opened, "session")} opened
        </option>
      ))}
      {!isListed && <option value={chosen}>{safeText(chosen)}</option>}
    </select>
  );
}

/** Shown above every page that is about another person. */
export function OwnerBanner() {
  const shown = owner.value;
  if (shown === "") return null;
  return (
    <div class="banner" role="status">
      Sessions of {safeText(shown)}, as far as you may see them, with secrets masked.{" "}
      <button class="button bare" type="button" onClick={() => goTo("/")}>
        Back to yours
      </button>
    </div>
  );
}
