import type { Readable } from 'node:stream'
import { ENTRY_ID, type Entries } from './entries.ts'

/** A file of a TrackSet. */
export interface SegmentFile {
  trackSet: string
  rendition: string
  name: string
}

/** A request for a file, with headers as they arrived. */
interface FileRequest {
  method: 'GET' | 'HEAD'
  range?: string | undefined
  ifNoneMatch?: string | undefined
  /** Ends the transfer. */
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
  /** Folder with `{rendition}/{file}` and `track-set.json`. The store may move it. */
  folder: string
  /** Renditions of an earlier TrackSet that become renditions of this one too. */
  reused?: { trackSet: string; renditions: readonly string[] }
}

export interface PublishOptions {
  signal: AbortSignal
  /** Called while the publication is in progress. */
  onProgress?: () => void
}

/**
 * The files of TrackSets. A file is written once and never changes. `folderSegments` keeps them in a folder,
 * `s3Segments` in an S3-compatible object store (docs/decisions/0082).
 */
export interface SegmentStore {
  readonly entries: Entries
  /** Local folder in which TrackSets are made before they are published. */
  readonly workFolder: string
  /** How viewers get the files: from a local folder, or through requests that the store answers. */
  readonly serving: { folder: string } | { fetch: FetchFile }
  /** Checks that the store can be read and written. @throws StoreError if not */
  check(): Promise<void>
  /** Returns a file; undefined if it does not exist. */
  read(file: SegmentFile): Promise<Buffer | undefined>
  /** Returns a text file; undefined if it does not exist. */
  readText(file: SegmentFile): Promise<string | undefined>
  /** Publishes a TrackSet as a whole or not at all. */
  publish(set: FinishedSet, options: PublishOptions): Promise<void>
  /** Writes a file of a TrackSet that grows, as a whole or not at all. */
  write(file: SegmentFile, bytes: Buffer): Promise<void>
  /**
   * Prepares the removal of a TrackSet. It may have to wait for a network, so no transaction may be open. If the
   * process is killed before `setAside`, the TrackSet stays.
   */
  announceRemoval(id: string): Promise<void>
  /** Takes back {@link announceRemoval}. */
  revokeRemoval(id: string): Promise<void>
  /**
   * Takes a TrackSet whose removal was announced out of the store in one step, without a network. If the process is
   * killed before `discard`, `clear` completes the removal. A TrackSet that does not exist is no error.
   */
  setAside(id: string): Promise<void>
  /** Deletes a TrackSet that was set aside. */
  discard(id: string): Promise<void>
  /**
   * Deletes the remains of killed processes: unfinished TrackSets, and TrackSets that were set aside.
   *
   * @param before deletes only what was begun before this time, in milliseconds, because other processes may work in
   * the same store
   * @param named returns the ids, out of the given ids, that a row of the database names
   */
  clear(before: number, named: (ids: readonly string[]) => Promise<string[]>): Promise<void>
  /** Closes connections. */
  close(): Promise<void>
}

/** Requests a file. Undefined if it does not exist. @throws StoreError */
export type FetchFile = (file: SegmentFile, request: FileRequest) => Promise<FileAnswer | undefined>

/** Removes a TrackSet: readers find all of it or nothing. */
export async function removeTrackSet(segments: SegmentStore, id: string): Promise<void> {
  await removeTrackSetIf(segments, id, async (setAside) => {
    await setAside()
    return 'removed'
  })
}

/** The result for the row of a TrackSet. `missing`: another process has deleted the row, and removes the files. */
export type RowRemoval = 'removed' | 'kept' | 'missing'

/**
 * Removes a TrackSet with its row.
 *
 * @param removeRow decides in one transaction: deletes the row and calls `setAside`, or does neither. If the process is
 * killed before the commit, both the row and the TrackSet remain.
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
  // The process that deleted the row may be killed before it has discarded the TrackSet. Then `clear` needs the mark.
  if (row === 'kept') await segments.revokeRemoval(id)
  return row === 'removed'
}

/** @throws RangeError if `id` is not the id of a TrackSet */
export function requireTrackSetId(id: string): void {
  if (!ENTRY_ID.test(id)) throw new RangeError(`not the id of a TrackSet: ${id}`)
}

/**
 * The store of segments cannot be used now. `unreachable`: it does not answer, or asks to come back later.
 * `refused`: it answers, and needs an operator, such as for wrong credentials. The message is for operators.
 */
export class StoreError extends Error {
  override name = 'StoreError'
  readonly kind: 'unreachable' | 'refused'

  constructor(kind: StoreError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
