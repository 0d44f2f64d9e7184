/** Collects conditions and numbered values while a statement is built. */
export class Query {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  /** Adds a value; returns its placeholder. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** All conditions, joined by AND. */
  get conditions(): string {
    return this.#conditions.length === 0 ? "true" : this.#conditions.join(" AND ");
  }
}
