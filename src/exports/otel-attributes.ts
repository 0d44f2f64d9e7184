/** An attribute in OTLP's JSON: `{"key": "…", "value": {"stringValue": "…"}}`. */
export interface Attribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { boolValue: boolean };
}

/** Skips absent values; writes objects as JSON text. */
export function attributes(values: Readonly<Record<string, unknown>>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === undefined || value === null) return [];
    if (typeof value === "number") return [{ key, value: { intValue: String(Math.trunc(value)) } }];
    if (typeof value === "boolean") return [{ key, value: { boolValue: value } }];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [{ key, value: { stringValue: text } }];
  });
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 3 client. */
  kind: 1 | 3;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  /** 0 unset, 1 ok, 2 error. */
  status: { code: 0 | 1 | 2; message?: string };
}

export function nanosOf(ms: number): string {
  return `${BigInt(Math.round(ms)) * 1_000_000n}`;
}
