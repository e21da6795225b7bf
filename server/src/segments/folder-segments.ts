import {
  access,
  constants,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { programReason, runProgram } from '../ingest/run-program.ts'
import { clearWorkspaces, findAside, MAKING, REMOVED } from '../ingest/workspace.ts'
import { isErrno } from '../is-errno.ts'
import { joinInside } from '../paths.ts'
import { folderEntries, idsIn, moved, unlessMissing } from './folder-entries.ts'
import { requireTrackSetId, type SegmentFile, type SegmentStore } from './segment-store.ts'

/**
 * Returns the store of segments in a folder: `{id}/{rendition}/{file}`. Unfinished TrackSets are in the same
 * folder, so that a rename can publish them. The age of an entry counts from the change time of its folder, which
 * the rename sets.
 */
export function folderSegments(folder: string): SegmentStore {
  const read: SegmentStore['read'] = async (file) => {
    const path = await findFile(await realpath(folder), file)
    return path === undefined ? undefined : await readFile(path)
  }
  const asideOf = (id: string): string => join(folder, MAKING, `${id}${REMOVED}`)
  return {
    entries: folderEntries(folder, {
      pathOf: (id) => join(folder, id),
      list: async () => await idsIn(folder),
      storedAt: async (path) => (await stat(path)).ctimeMs,
    }),
    workFolder: folder,
    serving: { folder },
    check: async () => await access(folder, constants.R_OK | constants.W_OK),
    read,
    readText: async (file) => (await read(file))?.toString(),
    publish: async ({ id, folder: finished, reused }, { signal }) => {
      requireTrackSetId(id)
      for (const rendition of reused?.renditions ?? [])
        await linkFiles(join(folder, reused?.trackSet ?? '', rendition), join(finished, rendition), signal)
      // Writes all files to the disk before the rename publishes the folder.
      await flush(finished, signal)
      signal.throwIfAborted()
      const published = join(folder, id)
      await rename(finished, published)
      await flushFolder(dirname(published))
    },
    write: async (file, bytes) => {
      const path = pathIn(folder, file)
      // `/media` serves no file with this extension.
      const part = `${path}.part`
      try {
        await writeInside(part, bytes)
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined)
        throw error
      }
    },
    announceRemoval: async () => {},
    revokeRemoval: async () => {},
    setAside: async (id) => {
      requireTrackSetId(id)
      await mkdir(join(folder, MAKING), { recursive: true })
      await unlessMissing(rename(join(folder, id), asideOf(id)))
    },
    discard: async (id) => {
      requireTrackSetId(id)
      await rm(asideOf(id), { recursive: true, force: true })
    },
    clear: async (before, named) => {
      // A TrackSet that still has a row is moved back: the transaction that removed it was not committed.
      for (const id of await named(await findAside(folder, before)))
        await moved(asideOf(id), join(folder, id))
      await clearWorkspaces(folder, before)
    },
    close: async () => {},
  }
}

/**
 * Returns the path of a file in the store; undefined if the file does not exist, or if its path contains a
 * symbolic link.
 *
 * @param root the folder of the store, without symbolic links
 */
export async function findFile(root: string, file: SegmentFile): Promise<string | undefined> {
  const path = pathIn(root, file)
  return (await unlessMissing(realpath(path))) === path ? path : undefined
}

function pathIn(folder: string, { trackSet, rendition, name }: SegmentFile): string {
  requireTrackSetId(trackSet)
  return joinInside(folder, trackSet, rendition, name)
}

/** Writes a file, and creates its folder if it is missing. */
async function writeInside(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(path, bytes, { mode: 0o640 })
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o750 })
    await writeFile(path, bytes, { mode: 0o640 })
  }
}

/** Makes hard links, so that each of the two TrackSets can be removed without the other. */
async function linkFiles(from: string, to: string, signal: AbortSignal): Promise<void> {
  await mkdir(to)
  for (const file of await readdir(from)) {
    signal.throwIfAborted()
    await link(join(from, file), join(to, file))
  }
}

/** Asks the kernel to write out the whole file system of `folder`. A single call covers thousands of files. */
async function flush(folder: string, signal: AbortSignal): Promise<void> {
  try {
    await runProgram({
      program: 'sync',
      arguments: ['--file-system', folder],
      signal,
      limits: { wallSeconds: 600, memoryBytes: 1e9, outputBytes: 1e5 },
    })
  } catch (error) {
    throw programReason(error, 'packagingFailed')
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
