// @module-tag slow
import { storeContract } from "../contracts/store.ts";
import { archiveAt } from "./places.ts";

storeContract("SQLite", () => archiveAt());
