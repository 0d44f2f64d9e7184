import type { AnySchemaObject } from "ajv";

export function makeSchemas(): Map<string, AnySchemaObject>;
export function schemaFile(command: string): string;
export function publishedText(command: string, schema: AnySchemaObject): string;
