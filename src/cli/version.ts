import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;
export const description: string = manifest.description;
