export type Dialect = "anthropic" | "responses" | "gemini" | "chat";
export function refusedBy(dialect: Dialect, body: object): string | undefined;
