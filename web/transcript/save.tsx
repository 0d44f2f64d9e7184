import { useState } from "preact/hooks";
import { useAnswer } from "../ask.ts";
import { token } from "../key.ts";
import { masking } from "../masking.ts";

export interface Forms {
  exports: { name: string; title: string; isForPeople: boolean }[];
}

/** Saves the session in any form that it can leave Pollux in; masked as it is shown. */
export function SaveMenu({ id }: { id: string }) {
  const { value } = useAnswer<Forms>("/api/exports");
  const [complaint, setComplaint] = useState("");
  const save = async (form: string): Promise<void> => {
    setComplaint("");
    setComplaint(await saveAs(id, form));
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
      {complaint !== "" && (
        <span class="small" role="alert">
          {complaint}
        </span>
      )}
    </>
  );
}

/** What went wrong, or nothing. */
export async function saveAs(id: string, form: string): Promise<string> {
  const session = `/api/sessions/${encodeURIComponent(id)}`;
  const path = `${session}/export/${form}?masking=${masking.value}`;
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
