/** Values of a statement while its text is put together: each gets its number. */
export class Query {
  readonly values: unknown[] = [];
  readonly #conditions: string[] = [];

  /** The place of a value in the text. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** A condition that has to hold. */
  where(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** All conditions together. */
  get conditions(): string {
    return this.#conditions.length === 0 ? "true" : this.#conditions.join(" AND ");
  }
}
