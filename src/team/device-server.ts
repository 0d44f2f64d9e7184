import { hash } from "node:crypto";
import type { KnownFile, KnownRoot } from "../core/files/kept.ts";
import { optional } from "../core/optional.ts";
import type { SessionFile } from "../core/files/session-file.ts";
import type {
  FilePart,
  FolderRef,
  ServerFile,
  ServerFolder,
  ServerSession,
  PulledSession,
  PutFileResult,
  SentFile,
  SentSegment,
  SyncPolicy,
  SyncServer,
  SentSession,
} from "../core/team/sync-protocol.ts";
import { hasRowsOnly } from "../core/team/sync-protocol.ts";
import type { ByteSource } from "../kernel/bytes.ts";
import { joinBytes } from "../kernel/bytes.ts";
import type { Forgotten, Store } from "../store/store.ts";
import { digestOf, importVersion } from "../store/import-version.ts";
import type { Device, SegmentStore, Team } from "../store/team.ts";
import { findPulled, readPulled } from "./pull.ts";
import { dropSentRows, keepSentRows } from "./sent-rows.ts";
import { isSharedBy } from "./shared-files.ts";

const PACE_BYTES = 2 * 1024 * 1024;
/** Maximum file size: a file is held in memory, compressed, before it is kept. */
const MOST_BYTES = 4 * 1024 ** 3;

/** The requests of one device: it sends sessions, and reads those of its own person. */
export class DeviceServer implements SyncServer {
  readonly #team: Team;
  readonly #device: Device;
  readonly #store: Store;
  readonly #segments: SegmentStore;
  readonly #clock: () => number;

  constructor(team: Team, device: Device, { clock }: { clock: () => number }) {
    this.#team = team;
    this.#device = device;
    this.#clock = clock;
    this.#store = team.storeOf({ viewer: device.person, role: "developer" });
    this.#segments = team.segmentsOf(device.person);
  }

  async policy(): Promise<SyncPolicy> {
    const { level, mayLower, masked } = await this.#team.policy();
    const { id, name: team } = this.#team.tenant;
    // Queried every time: it may change while the server runs.
    const epoch = await this.#team.epoch();
    const nameKey = hash("sha256", `names ${id} ${this.#device.person}`, "hex");
    return { team, epoch, level, mayLower, masked, paceBytes: PACE_BYTES, nameKey };
  }

  async held(folders: readonly FolderRef[]): Promise<ServerFolder[]> {
    const roots = (await this.#store.roots()).filter(({ machine }) => this.#isOwn(machine));
    const forgotten = await this.#store.forgotten();
    const answers: ServerFolder[] = [];
    for (const { source, root: path, folder } of folders) {
      const root = roots.find((known) => known.source === source && known.path === path);
      const known = root ? await this.#store.known({ rootId: root.id }) : [];
      const own = known.filter((file) => file.folder === folder);
      const files: ServerFile[] = [];
      for (const file of own) files.push(await this.#heldFile(file, forgotten));
      files.push(...erasedIn(forgotten, { root: path, folder }, files));
      answers.push({ source, root: path, folder, files });
    }
    return answers;
  }

  async #heldFile(file: KnownFile, forgotten: Pick<Forgotten, "hasFile">): Promise<ServerFile> {
    const last = new Map<number, { sizeBytes: number; digest: string }>();
    for (const { content, sizeBytes, digest = "" } of await this.#store.versions(file.id)) {
      if ((last.get(content)?.sizeBytes ?? -1) <= sizeBytes)
        last.set(content, { sizeBytes, digest });
    }
    const newest = last.get(file.content);
    last.delete(file.content);
    const contents = [...last.values(), ...(newest ? [newest] : [])];
    const isErased = forgotten.hasFile(file.path);
    return { path: file.path, contents, isGone: file.goneSinceMs !== undefined, isErased };
  }

  missing(digests: readonly string[]): Promise<string[]> {
    return this.#segments.missing(digests);
  }

  putSegment(segment: SentSegment): Promise<void> {
    return this.#segments.put(segment);
  }

  async putFile(sent: SentFile): Promise<PutFileResult> {
    if (sent.sizeBytes > MOST_BYTES) return { answer: "too-large", mostBytes: MOST_BYTES };
    const forgotten = await this.#store.forgotten();
    if (forgotten.hasFile(sent.path)) return this.#refuse(sent.path);
    const root = await this.#root(sent);
    const bytes = await this.#bytesOf(sent, root);
    if (bytes === "other") return { answer: "other" };
    if (Array.isArray(bytes)) return { answer: "missing", segments: bytes };
    // Another machine may have prompts of a session that was erased.
    if (isSharedBy(sent, bytes, forgotten.sessions)) return this.#refuse(sent.path, root);
    const { path, role, folder, parentId, isCleaned, modifiedMs, sizeBytes } = sent;
    const seen = { path, role, folder, isCleaned, modifiedMs, sizeBytes };
    const file = { ...seen, root: root.path, ...optional("parentId", parentId) };
    const { keptMs, digest } = sent;
    const state = { rootId: root.id, file, keptMs, digest, bytes };
    const taken = await importVersion(this.#store, state);
    if (taken === "outdated") return { answer: "other" };
    const { sessions } = await this.#store.forgotten();
    if (sessions.length > forgotten.sessions.length && isSharedBy(sent, bytes, sessions)) {
      // One was erased meanwhile, before this file was kept.
      return this.#refuse(path, root);
    }
    await this.#markPresence(sent, root, file);
    return { answer: taken };
  }

  /** Removes what is kept of a file, and its segments, which may have arrived before. */
  async #refuse(path: string, root?: KnownRoot): Promise<PutFileResult> {
    const known = root ? await this.#store.known({ rootId: root.id, paths: [path] }) : [];
    const files = known.map(({ id }) => id);
    await this.#store.forget({ files, sessions: [], paths: [path], nowMs: this.#clock() });
    return { answer: "erased" };
  }

  /**
   * Returns all bytes of a sent file, the digests of missing segments, or `other` if it extends a
   * content that the server does not have.
   */
  async #bytesOf(sent: SentFile, root: KnownRoot): Promise<ByteSource | string[] | "other"> {
    const { path, from, segments, sizeBytes, digest } = sent;
    const behind = await this.#segments.open(path, segments);
    if (!behind) return this.#segments.missing(segments);
    let whole = behind;
    if (from > 0) {
      const [known] = await this.#store.known({ rootId: root.id, paths: [path] });
      if (!known || known.sizeBytes < from) return "other";
      whole = joinBytes(await this.#store.bytes(known), from, behind);
    }
    const isMeant = endsAt(whole, sizeBytes) && (await digestOf(whole)) === digest;
    return isMeant ? whole : "other";
  }

  /**
   * Records whether the newest content is still on the machine's disk; the latest observation
   * counts.
   */
  async #markPresence(sent: SentFile, root: KnownRoot, file: SessionFile): Promise<void> {
    const { path, goneSinceMs, digest, seenMs = sent.keptMs } = sent;
    const [known] = await this.#store.known({ rootId: root.id, paths: [path] });
    if (!known || known.digest !== digest) return;
    const nothing = { readings: [], sessions: [], dropped: [] };
    const { goneSinceMs: before, isSettled } = known;
    if (goneSinceMs !== undefined && before === undefined && goneSinceMs > known.lastSeenMs) {
      const files = [{ kind: "gone", known }] as const;
      await this.#store.commit({ nowMs: goneSinceMs, files, ...nothing });
    }
    if (goneSinceMs === undefined && before !== undefined && seenMs > before) {
      const files = [{ kind: "touched", known, file, isSettled }] as const;
      await this.#store.commit({ nowMs: seenMs, files, ...nothing });
    }
  }

  #isOwn({ uid }: KnownRoot["machine"]): boolean {
    return uid === this.#device.id;
  }

  #root({ source, root: path }: Pick<SentFile, "source" | "root">): Promise<KnownRoot> {
    const machine = { uid: this.#device.id, name: this.#device.name };
    return this.#store.addRoot({ source, path, how: "usual", machine }, this.#clock());
  }

  async putRows(session: SentSession): Promise<void> {
    const { id: uid, name } = this.#device;
    await keepSentRows(this.#store, session, { machine: { uid, name }, nowMs: this.#clock() });
  }

  async sessions(): Promise<ServerSession[]> {
    const all = await this.#store.located({ scope: "own" });
    return all.map(({ source, id, files }) => ({
      source,
      id,
      hasRowsOnly: hasRowsOnly({ files }),
    }));
  }

  dropRows(names: readonly ServerSession[]): Promise<void> {
    return dropSentRows(this.#store, names, this.#clock());
  }

  find(session: string): Promise<PulledSession> {
    return findPulled(this.#store, session);
  }

  read(part: FilePart): Promise<Uint8Array> {
    return readPulled(this.#store, part);
  }
}

/** Erased files of a folder, so that machines do not even send their segments. */
function erasedIn(
  { files }: Forgotten,
  { root, folder }: Pick<FolderRef, "root" | "folder">,
  listed: readonly ServerFile[],
): ServerFile[] {
  const known = new Set(listed.map(({ path }) => path));
  const isIn = (path: string): boolean => {
    return path.startsWith(root) && path.includes(folder) && !known.has(path);
  };
  return files.filter(isIn).map((path) => ({ path, contents: [], isGone: false, isErased: true }));
}

/** Returns true if the bytes have exactly this length. */
function endsAt(bytes: ByteSource, sizeBytes: number): boolean {
  const last = bytes.range(Math.max(0, sizeBytes - 1), sizeBytes + 1);
  return last.length === Math.min(1, sizeBytes);
}
