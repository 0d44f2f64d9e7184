/** One step of a model's reasoning, as recorded. */
export interface Thought {
  subject: string;
  description: string;
  at?: string;
}
