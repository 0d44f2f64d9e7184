import { useEffect, useState } from "preact/hooks";
import { address, go, hrefWith } from "../address.ts";

interface ChipOption {
  value: string;
  label: string;
}

export interface ChipProps {
  /** The parameter in the URL, such as `project`. */
  name: string;
  label: string;
  /** The choices; free text if absent. */
  options?: readonly ChipOption[];
}

/** One filter: a choice while it is not set, afterwards its value with a button to clear it. */
export function Chip(props: ChipProps) {
  const chosen = address.value.query.get(props.name) ?? "";
  if (chosen !== "") return <Chosen {...props} chosen={chosen} />;
  return props.options ? (
    <ChipSelect {...props} options={props.options} />
  ) : (
    <ChipText {...props} />
  );
}

function Chosen({ name, label, options = [], chosen }: ChipProps & { chosen: string }) {
  const shown = options.find(({ value }) => value === chosen)?.label ?? chosen;
  return (
    <a
      class="button chip"
      href={hrefWith({ [name]: undefined })}
      aria-label={`${label}: ${shown}, take back`}
    >
      <span class="soft">{label}</span> <span class="chip-value">{shown}</span>
      <span aria-hidden="true"> ×</span>
    </a>
  );
}

function ChipSelect({ name, label, options }: Required<ChipProps>) {
  return (
    <select
      class="field chip"
      aria-label={label}
      value=""
      onChange={(event) => go(hrefWith({ [name]: event.currentTarget.value }), "replace")}
    >
      <option value="">{label}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function ChipText({ name, label }: ChipProps) {
  const [text, setText] = useState("");
  const given = address.value.query.get(name);
  useEffect(() => setText(""), [given]);
  const choose = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") go(hrefWith({ [name]: text.trim() }), "replace");
  };
  return (
    <form onSubmit={choose}>
      <input
        class="field chip"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={choose}
      />
    </form>
  );
}
