import { hrefWith } from "../address.ts";

export interface ChoiceProps<T extends string> {
  label: string;
  name: string;
  options: readonly T[];
  labels: Readonly<Record<T, string>>;
  chosen: T | undefined;
  /** Parameters that a choice removes. */
  clears?: readonly string[];
}

/** One of a few options; stored in the URL. */
export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, name, options, labels, chosen, clears = [] } = props;
  const cleared = Object.fromEntries(clears.map((item) => [item, undefined]));
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map((option) => (
        <a
          key={option}
          href={hrefWith({ ...cleared, [name]: option })}
          aria-current={option === chosen ? "true" : undefined}
        >
          {labels[option]}
        </a>
      ))}
    </div>
  );
}
