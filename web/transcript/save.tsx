import { useState } from "preact/hooks";
import { useAnswer } from "../ask.ts";
import { token } from "../key.ts";

interface Forms {
  exports: { name: string; title: string; isForPeople: boolean }[];
}

/** Saves the session in any form that it can leave Pollux in; secrets are masked unless refused. */
export function SaveMenu({ id }: { id: string }) {
  const { value } = useAnswer<Forms>("/api/exports");
  const [masking, setMasking] = useState<"masked" | "plain">("masked");
  const [complaint, setComplaint] = useState("");
  const save = async (form: string): Promise<void> => {
    setComplaint("");
    setComplaint(await saveAs(id, form, masking));
  };
  return (
    <>
      <label>
        <span class="hidden-label">Save this session as</span>
        <select
          class="field"
          value=""
          onChange={(event) => {
            void save(event.currentTarget.value);
            event.currentTarget.value = "";
          }}
        >
          <option value="">Save as…</option>
          {value?.exports.map(({ name, title }) => (
            <option key={name} value={name}>
              {name}: {title}
            </option>
          ))}
        </select>
      </label>
      <label class="small soft">
        <input
          type="checkbox"
          checked={masking === "masked"}
          onChange={(event) => setMasking(event.currentTarget.checked ? "masked" : "plain")}
        />{" "}
        mask secrets
      </label>
      {complaint !== "" && (
        <span class="small" role="alert">
          {complaint}
        </span>
      )}
    </>
  );
}

/** What went wrong, or nothing. */
async function saveAs(id: string, form: string, masking: string): Promise<string> {
  const path = `/api/sessions/${encodeURIComponent(id)}/export/${form}?masking=${masking}`;
  const response = await fetch(path, { headers: { Authorization: `Bearer ${token.value}` } });
  if (!response.ok) {
    const body = (await response.json()) as { error?: { message?: string } };
    return body.error?.message ?? "That did not work.";
  }
  const disposition = response.headers.get("Content-Disposition") ?? "";
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? id;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return "";
}
