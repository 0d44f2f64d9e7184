export const FROM_NPM: string;
export function postgresPrograms(): string[];
