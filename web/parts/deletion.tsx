import type { DoctorAnswer } from "../../src/index.ts";
import { address } from "../address.ts";

const DOCTOR = "/doctor";

/** What agents will delete: calm if everything is kept, loud if something would be lost. */
export function DeletionNote({ deletion }: { deletion: DoctorAnswer["deletion"] }) {
  const { tone, message } = deletion;
  if (tone === "none") return null;
  return (
    <p class={`risk ${tone}`}>
      {message}{" "}
      {address.value.path !== DOCTOR && (
        <a href={DOCTOR}>{tone === "loud" ? "Archive now" : "Which, and when"}</a>
      )}
    </p>
  );
}
