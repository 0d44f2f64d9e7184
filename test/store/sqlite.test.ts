import { equalityContract } from "../contracts/store-equality.ts";
import { archiveAt } from "./places.ts";

equalityContract("SQLite", () => archiveAt());
