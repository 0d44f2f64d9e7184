import type { DoctorAnswer } from "../../src/index.ts";

/** What agents will delete: calm when all of it is kept, loud when something would be lost. */
export function DeletionNote({ deletion }: { deletion: DoctorAnswer["deletion"] }) {
  const { tone, message } = deletion;
  if (tone === "none") return null;
  return (
    <p class={`risk ${tone}`}>
      {message} <a href="/doctor">{tone === "loud" ? "Keep now" : "Which, and when"}</a>
    </p>
  );
}
