import type { DoctorAnswer } from "../../src/index.ts";
import { address } from "../address.ts";
import type { About } from "../answers.ts";
import { useAnswer } from "../ask.ts";

const DOCTOR = "/doctor";

/** What agents will delete: calm if everything is kept, loud if something would be lost. */
export function DeletionNote({ deletion }: { deletion: DoctorAnswer["deletion"] }) {
  const { tone, message } = deletion;
  const hasArchive = (useAnswer<About>("/api/about").value?.archive ?? null) !== null;
  if (tone === "none") return null;
  return (
    <p class={`risk ${tone}`}>
      {message}{" "}
      {address.value.path !== DOCTOR && (
        <a href={DOCTOR}>{tone === "loud" && hasArchive ? "Archive now" : "Which, and when"}</a>
      )}
    </p>
  );
}
