import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { inLanes } from '../in-lanes.ts'
import { clearWorkspaces, MAKING } from '../ingest/workspace.ts'
import { ENTRY_ID, type Entries, OWNER, QUARANTINE } from './entries.ts'
import type { S3Client } from './s3-client.ts'
import { faultOf } from './s3-xml.ts'
import {
  type FetchFile,
  type FinishedSet,
  type PublishOptions,
  requireTrackSetId,
  type SegmentFile,
  type SegmentStore,
} from './segment-store.ts'

/** Number of objects transferred at the same time. */
const AT_ONCE = 8

/** How long requests are retried while the store does not answer, in milliseconds, by kind of work. */
const PATIENCE = {
  /** A viewer is waiting, and the player repeats the request itself. */
  view: 500,
  /** Sweeps and commands are repeated anyway. */
  upkeep: 3000,
  /** A live input continues while the store is down, but buffers only a limited number of segments. */
  live: 20_000,
  /** Encoding the film may have taken hours. */
  publish: 15 * 60_000,
}

/** Headers that are passed from the store's answers to viewers. */
const PASSED = ['content-length', 'content-range', 'etag', 'last-modified', 'accept-ranges']

/**
 * Returns the store of segments in an S3-compatible store: objects `{prefix}{id}/{rendition}/{file}`. Objects
 * cannot be renamed. So a separate object, the mark, excludes a TrackSet from the store: `.making/{id}` while the
 * TrackSet is unfinished or being removed, `.quarantine/{id}` while it is in quarantine.
 *
 * @param prefix beginning of all names, empty or with `/` at its end
 * @param workFolder local folder in which TrackSets are made
 */
export function s3Segments(client: S3Client, prefix: string, workFolder: string): SegmentStore {
  const keyOf = ({ trackSet, rendition, name }: SegmentFile): string => {
    requireTrackSetId(trackSet)
    return `${prefix}${trackSet}/${rendition}/${name}`
  }
  const markOf = (kind: string, id: string): string => {
    requireTrackSetId(id)
    return `${prefix}${kind}/${id}`
  }

  async function deleteEntry(id: string, mark: string, patienceMs: number): Promise<void> {
    requireTrackSetId(id)
    await client.deletePrefix(`${prefix}${id}/`, patienceMs)
    // The mark is deleted last. If this process is killed before, another process finds the mark and completes the
    // removal.
    await client.delete([mark], patienceMs)
  }

  /**
   * Returns the names of a TrackSet's objects, such as `v720/1.m4s`. @throws Error if a rendition has no objects
   */
  async function objectsOf(id: string, renditions: readonly string[]): Promise<string[]> {
    requireTrackSetId(id)
    const names: string[] = []
    for (const rendition of renditions) {
      const before = names.length
      for await (const { objects } of client.list(`${prefix}${id}/${rendition}/`, {
        patienceMs: PATIENCE.publish,
      }))
        names.push(...objects.map(({ key }) => key.slice(prefix.length + id.length + 1)))
      if (names.length === before) throw new Error(`the TrackSet ${id} lacks its files of ${rendition}`)
    }
    return names
  }

  async function publish({ id, folder, reused }: FinishedSet, options: PublishOptions): Promise<void> {
    const { signal, onProgress } = options
    const transfer = { signal, patienceMs: PATIENCE.publish, onRetry: () => onProgress?.() }
    const mark = markOf(MAKING, id)
    await client.put(mark, 'unfinished\n', transfer)
    try {
      const copies = reused ? await objectsOf(reused.trackSet, reused.renditions) : []
      const works = [
        ...copies.map(
          (name) => async () =>
            await client.copy(`${prefix}${reused?.trackSet}/${name}`, `${prefix}${id}/${name}`, transfer),
        ),
        ...(await filesIn(folder)).map((name) => async () => {
          await client.put(`${prefix}${id}/${name}`, await readFile(join(folder, name)), transfer)
        }),
      ]
      await inLanes(AT_ONCE, works, async (work) => {
        signal.throwIfAborted()
        await work()
        onProgress?.()
      })
      await client.delete([mark], PATIENCE.publish)
    } catch (error) {
      // If this clean-up fails too, the mark remains, and `clear` deletes the objects.
      await deleteEntry(id, mark, 0).catch(() => undefined)
      throw error
    }
  }

  const fetch: FetchFile = async (file, { method, range, ifNoneMatch, signal }) => {
    const answer = await client.send({
      method,
      key: keyOf(file),
      headers: { ...(range && { range }), ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) },
      patienceMs: PATIENCE.view,
      ...(signal && { signal }),
    })
    const { statusCode, body } = answer
    const headers = Object.fromEntries(
      PASSED.flatMap((name) => {
        const value = answer.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    if (statusCode === 200 || statusCode === 206) return { status: statusCode, headers, body }
    if (statusCode === 416) {
      const { size } = faultOf(await body.text())
      delete headers['content-length']
      if (size !== undefined) headers['content-range'] = `bytes */${size}`
      return { status: 416, headers, body: null }
    }
    await body.dump()
    return statusCode === 304 ? { status: 304, headers, body: null } : undefined
  }

  return {
    entries: s3Entries(client, prefix, { markOf, deleteEntry }),
    workFolder,
    serving: { fetch },
    check: async () => {
      const key = `${prefix}.check`
      await client.put(key, 'Ondine can write here.\n', { patienceMs: PATIENCE.upkeep })
      await client.readText(key, PATIENCE.upkeep)
      for await (const page of client.list(key, { patienceMs: PATIENCE.upkeep })) void page
      await client.delete([key], PATIENCE.upkeep)
    },
    read: async (file) => await client.read(keyOf(file), PATIENCE.upkeep),
    readText: async (file) => await client.readText(keyOf(file), PATIENCE.view),
    publish,
    write: async (file, bytes) => await client.put(keyOf(file), bytes, { patienceMs: PATIENCE.live }),
    announceRemoval: async (id) =>
      await client.put(markOf(MAKING, id), 'removed\n', { patienceMs: PATIENCE.upkeep }),
    revokeRemoval: async (id) => await client.delete([markOf(MAKING, id)], PATIENCE.upkeep),
    // Nothing to do: the mark that `announceRemoval` has written already excludes the TrackSet. If this process is killed
    // before `discard`, `clear` looks for the row of the TrackSet, and completes or reverts the removal.
    setAside: async () => {},
    discard: async (id) => await deleteEntry(id, markOf(MAKING, id), PATIENCE.upkeep),
    clear: async (before, named) => {
      await clearWorkspaces(workFolder, before)
      const marks = await marksIn(client, `${prefix}${MAKING}/`)
      const old = marks.filter(({ storedAt }) => storedAt < before).map(({ id }) => id)
      const kept = new Set(await named(old))
      // If the TrackSet still has a row, its removal was not committed. Then only the mark is deleted.
      for (const id of old)
        if (kept.has(id)) await client.delete([markOf(MAKING, id)], PATIENCE.upkeep)
        else await deleteEntry(id, markOf(MAKING, id), PATIENCE.upkeep)
    },
    close: async () => await client.close(),
  }
}

interface Marks {
  markOf(kind: string, id: string): string
  deleteEntry(id: string, mark: string, patienceMs: number): Promise<void>
}

function s3Entries(client: S3Client, prefix: string, { markOf, deleteEntry }: Marks): Entries {
  const patienceMs = PATIENCE.upkeep
  const quarantined = async () => (await marksIn(client, `${prefix}${QUARANTINE}/`)).map(({ id }) => id)
  return {
    where: prefix === '' ? client.where : `${client.where}, below ${prefix}`,
    list: async () => {
      const aside = new Set([
        ...(await quarantined()),
        ...(await marksIn(client, `${prefix}${MAKING}/`)).map(({ id }) => id),
      ])
      const ids: string[] = []
      for await (const { folders } of client.list(prefix, { delimiter: '/', patienceMs }))
        for (const folder of folders) ids.push(folder.slice(prefix.length, -1))
      return ids.filter((id) => ENTRY_ID.test(id) && !aside.has(id))
    },
    isOlder: async (id, before) => {
      requireTrackSetId(id)
      let newest: number | undefined
      for await (const { objects } of client.list(`${prefix}${id}/`, { patienceMs }))
        for (const { storedAt } of objects) newest = Math.max(newest ?? 0, storedAt)
      return newest !== undefined && newest < before
    },
    owner: async () => (await client.readText(`${prefix}${OWNER}`, patienceMs))?.trim(),
    setOwner: async (text, isFirst) => {
      const key = `${prefix}${OWNER}`
      // Some stores ignore the condition and overwrite the text. If two databases write it, the later one is then the
      // owner. Every sweep checks the owner again.
      const headers: Record<string, string> = isFirst ? { 'if-none-match': '*' } : {}
      const answer = await client.send({ method: 'PUT', key, body: `${text}\n`, headers, patienceMs })
      await answer.body.dump()
    },
    quarantined,
    quarantine: async (id) => {
      await client.put(markOf(QUARANTINE, id), 'unknown\n', { patienceMs })
      return true
    },
    restore: async (id) => {
      await client.delete([markOf(QUARANTINE, id)], patienceMs)
      return true
    },
    deleteQuarantined: async (id) => await deleteEntry(id, markOf(QUARANTINE, id), patienceMs),
  }
}

async function marksIn(client: S3Client, folder: string): Promise<{ id: string; storedAt: number }[]> {
  const marks: { id: string; storedAt: number }[] = []
  for await (const { objects } of client.list(folder, { patienceMs: PATIENCE.upkeep }))
    for (const { key, storedAt } of objects) marks.push({ id: key.slice(folder.length), storedAt })
  return marks.filter(({ id }) => ENTRY_ID.test(id))
}

/** Returns the names of all files below a folder, such as `v720/1.m4s`. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}
