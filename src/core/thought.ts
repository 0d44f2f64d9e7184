/** One step of a model's reasoning, as recorded. */
export interface Thought {
  subject: string;
  description: string;
  at?: string;
  /** Its text was kept from us: it is counted, not shown. */
  isEncrypted?: boolean;
}
