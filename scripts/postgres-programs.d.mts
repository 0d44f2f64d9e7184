export const FROM_NPM: string;
export function postgresPrograms(): string[];
export const STARTS_HERE: boolean;
