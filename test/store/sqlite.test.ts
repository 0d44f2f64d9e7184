import { archiveContract } from "../contracts/archive.ts";
import { archiveAt, folder } from "./places.ts";

archiveContract("SQLite", { open: () => archiveAt(), aside: () => folder() });
