import type { Readable } from 'node:stream'
import { ENTRY_ID, type Entries } from './entries.ts'

/** A file of a TrackSet. */
export interface SegmentFile {
  trackSet: string
  rendition: string
  name: string
}

/** A viewer's request for a file, with its original headers. */
interface FileRequest {
  method: 'GET' | 'HEAD'
  range?: string | undefined
  ifNoneMatch?: string | undefined
  /** Aborts the transfer. */
  signal?: AbortSignal
}

/** Answer to the request for a file. */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416
  /** Headers that describe the body, such as `content-length` and `etag`. */
  headers: Record<string, string>
  /** Null if the answer has no body. */
  body: Readable | null
}

/** A finished TrackSet in a local folder. */
export interface FinishedSet {
  id: string
  /** Folder with `{rendition}/{file}` and `track-set.json`. The store may move this folder. */
  folder: string
  /** Renditions of an earlier TrackSet that this TrackSet also contains. */
  reused?: { trackSet: string; renditions: readonly string[] }
}

export interface PublishOptions {
  signal: AbortSignal
  /** Called now and then while the TrackSet is being published. */
  onProgress?: () => void
}

/**
 * The store of TrackSets' files. A file is written once and never changes. `folderSegments` keeps the files in a
 * folder, `s3Segments` in an S3-compatible object store (docs/decisions/0082).
 */
export interface SegmentStore {
  readonly entries: Entries
  /** Local folder in which TrackSets are made before they are published. */
  readonly workFolder: string
  /** How viewers get the files: from a local folder, or by requests to the store. */
  readonly serving: { folder: string } | { fetch: FetchFile }
  /** Verifies that the store can be read and written. @throws StoreError if not */
  check(): Promise<void>
  /** Returns a file; undefined if it does not exist. */
  read(file: SegmentFile): Promise<Buffer | undefined>
  /** Returns a text file; undefined if it does not exist. */
  readText(file: SegmentFile): Promise<string | undefined>
  /** Publishes a TrackSet as a whole or not at all. */
  publish(set: FinishedSet, options: PublishOptions): Promise<void>
  /** Writes a file of a TrackSet that still grows, as a whole or not at all. */
  write(file: SegmentFile, bytes: Buffer): Promise<void>
  /**
   * Prepares the removal of a TrackSet. The call may wait for a network, so the caller must have no open
   * transaction. If the process is killed before `setAside`, the TrackSet remains in the store.
   */
  announceRemoval(id: string): Promise<void>
  /** Reverts {@link announceRemoval}. */
  revokeRemoval(id: string): Promise<void>
  /**
   * Removes a TrackSet from the store in one step, without a network. Its removal must have been announced, unless it
   * never had a row. If the process is killed before `discard`, `clear` completes an announced removal. A missing
   * TrackSet is no error.
   */
  setAside(id: string): Promise<void>
  /** Deletes the files of a TrackSet after `setAside`. */
  discard(id: string): Promise<void>
  /**
   * Cleans up after killed processes: deletes unfinished TrackSets, and completes interrupted removals. Reverts
   * the removal of a TrackSet that still has a row.
   *
   * @param before only work begun before this time, in milliseconds, is cleaned up, because other processes may
   * work in the same store
   * @param named returns those of the given ids that have a row in the database
   */
  clear(before: number, named: (ids: readonly string[]) => Promise<string[]>): Promise<void>
  /** Closes connections. */
  close(): Promise<void>
}

/** Requests a file. Returns undefined if the file does not exist. @throws StoreError */
export type FetchFile = (file: SegmentFile, request: FileRequest) => Promise<FileAnswer | undefined>

/** Removes a TrackSet. Readers find either all its files or none. */
export async function removeTrackSet(segments: SegmentStore, id: string): Promise<void> {
  await removeTrackSetIf(segments, id, async (setAside) => {
    await setAside()
    return 'removed'
  })
}

/**
 * Removes the files of a TrackSet that never had a row. Does not announce the removal first, because that would write
 * to the store, which may be full.
 */
export async function discardTrackSet(segments: SegmentStore, id: string): Promise<void> {
  await segments.setAside(id)
  await segments.discard(id)
}

/** Result of `removeRow`. `missing`: another process has deleted the row, and removes the files. */
export type RowRemoval = 'removed' | 'kept' | 'missing'

/**
 * Removes a TrackSet with its row.
 *
 * @param removeRow decides in one transaction: deletes the row and calls `setAside`, or does neither. If the
 * process is killed before the commit, both the row and the TrackSet remain.
 * @returns whether this call removed the TrackSet
 */
export async function removeTrackSetIf(
  segments: SegmentStore,
  id: string,
  removeRow: (setAside: () => Promise<void>) => Promise<RowRemoval>,
): Promise<boolean> {
  await segments.announceRemoval(id)
  const row = await removeRow(async () => await segments.setAside(id))
  if (row === 'removed') await segments.discard(id)
  // If another process has deleted the row, the announcement stays: `clear` needs it if that process is killed
  // before it calls `discard`.
  if (row === 'kept') await segments.revokeRemoval(id)
  return row === 'removed'
}

/** @throws RangeError if `id` is not the id of a TrackSet */
export function requireTrackSetId(id: string): void {
  if (!ENTRY_ID.test(id)) throw new RangeError(`not the id of a TrackSet: ${id}`)
}

/**
 * Thrown when the store of segments cannot be used now. `unreachable`: the store does not answer, or asks to retry
 * later. `full`: the store has no space, or a quota is reached. `refused`: the store refuses requests until an
 * operator acts, such as for wrong credentials. The message is for operators.
 */
export class StoreError extends Error {
  override name = 'StoreError'
  readonly kind: 'unreachable' | 'full' | 'refused'

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
