/** One step of a model's reasoning, as recorded. */
export interface Thought {
  subject: string;
  description: string;
  at?: string;
  /** The text is encrypted: the thought is counted, not shown. */
  isEncrypted?: boolean;
}
