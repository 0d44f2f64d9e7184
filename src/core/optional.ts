/** Returns `{[key]: value}`, or `{}` if the value is undefined: absent stays absent. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
