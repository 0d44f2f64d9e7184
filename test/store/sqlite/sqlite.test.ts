// @module-tag slow
import { storeContract } from "../../contracts/store.ts";
import { archiveAt } from "../temporary-archives.ts";

storeContract("SQLite", () => archiveAt());
