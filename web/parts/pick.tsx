import { go, hrefWith } from "../address.ts";

export interface PickProps {
  label: string;
  name: string;
  chosen: string;
  options: readonly { value: string; label: string }[];
}

/** One of many options; stored in the URL. */
export function Pick({ label, name, chosen, options }: PickProps) {
  const isListed = chosen === "" || options.some(({ value }) => value === chosen);
  return (
    <label>
      <span class="hidden-label">{label}</span>
      <select
        class="field"
        value={chosen}
        onChange={(event) => go(hrefWith({ [name]: event.currentTarget.value }), "replace")}
      >
        <option value="">{label}: all</option>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
