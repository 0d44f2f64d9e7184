export interface Case {
  id: string;
  kind: "append-jsonl" | "single-json" | "saved-chat" | "homes";
  folder: string;
  about: string;
  from: string;
  expected: Record<string, unknown>;
}
export declare const fixtures: string;
export declare function readCases(): Case[];
export declare function layOut(one: Case, home: string): void;
