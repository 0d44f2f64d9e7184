import { useState } from "preact/hooks";
import { hrefOf } from "../address.ts";
import { bearer, refused, useAnswer } from "../ask.ts";
import { token } from "../key.ts";
import { masking } from "../masking.ts";
import { ofOwner } from "../owner.ts";

interface Forms {
  exports: { name: string; title: string; isForPeople: boolean }[];
}

/** Exports sessions in any format as one file; masked as shown. */
export function SaveMenu({ ids, label }: { ids: readonly string[]; label: string }) {
  const { value } = useAnswer<Forms>("/api/exports");
  const [outcome, setOutcome] = useState("");
  const save = async (form: string): Promise<void> => {
    setOutcome("Saving…");
    setOutcome(await saveAs(ids, form));
  };
  return (
    <>
      <select
        class="field"
        aria-label={label}
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
      {outcome !== "" && (
        <span class="small" role="status">
          {outcome}
        </span>
      )}
    </>
  );
}

/** The message to show: an error or the file name. */
async function saveAs(ids: readonly string[], form: string): Promise<string> {
  const path = hrefOf(`/api/export/${form}`, { ids: ids.join(","), masking: masking.value });
  try {
    const response = await fetch(ofOwner(path), { headers: bearer(token.value) });
    if (!response.ok) return (await refused(response)).message;
    const disposition = response.headers.get("Content-Disposition") ?? "";
    const address = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = address;
    link.download = /filename="([^"]+)"/.exec(disposition)?.[1] ?? form;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return `Saved: ${link.download}`;
  } catch {
    // The server is not reachable.
    return "The server did not answer.";
  }
}
