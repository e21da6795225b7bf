import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../is-errno.ts'

/** The folders, in the store's `workFolder`, in which a TrackSet is made before it is published. */
export interface Workspace {
  folder: string
  /** Folder of intermediates, which are never published. */
  work: string
  /** Folder that becomes the TrackSet's folder when it is published. */
  set: string
}

/**
 * Folder of unfinished TrackSets, and of TrackSets that are being removed. No id of a TrackSet can have this name.
 */
export const MAKING = '.making'
/** Suffix of the folder of a TrackSet that was set aside, which means that it is being removed. */
export const REMOVED = '.removed'
/** Matches the names that `makeWorkspace` and the store of segments create in `.making`. */
const OURS = /^[0-9a-f]{32}(?:\.removed)?$/

export async function makeWorkspace(workFolder: string, id: string): Promise<Workspace> {
  const folder = join(workFolder, MAKING, id)
  const workspace = { folder, work: join(folder, 'work'), set: join(folder, 'set') }
  await mkdir(workspace.work, { recursive: true })
  await mkdir(workspace.set)
  return workspace
}

export async function removeWorkspace({ folder }: Workspace): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Removes the unfinished work of killed processes. Removes only folders that `makeWorkspace` or the store of
 * segments has named.
 *
 * @param before removes only workspaces begun and TrackSets set aside before this time, in milliseconds since the
 * Unix epoch, because other processes may be working in the same folder.
 * @returns the number of removed folders.
 */
export async function clearWorkspaces(workFolder: string, before: number): Promise<number> {
  const left = await findLeft(workFolder, before)
  for (const name of left) await rm(join(workFolder, MAKING, name), { recursive: true, force: true })
  return left.length
}

/** Returns the ids of the TrackSets that were set aside before this time, in milliseconds since the Unix epoch. */
export async function findAside(workFolder: string, before: number): Promise<string[]> {
  const left = await findLeft(workFolder, before)
  return left.filter((name) => name.endsWith(REMOVED)).map((name) => name.slice(0, -REMOVED.length))
}

async function findLeft(workFolder: string, before: number): Promise<string[]> {
  const home = join(workFolder, MAKING)
  await mkdir(home, { recursive: true })
  const left: string[] = []
  for (const name of await readdir(home))
    if (OURS.test(name) && (await begunAt(join(home, name))) < before) left.push(name)
  return left
}

/** Returns when a folder got its current name; `Infinity` if another process has just removed the folder. */
async function begunAt(path: string): Promise<number> {
  try {
    const { birthtimeMs, ctimeMs } = await stat(path)
    // A rename sets the change time. The change time of a workspace also changes with its files, so its birth time
    // counts.
    return path.endsWith(REMOVED) ? ctimeMs : birthtimeMs
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return Infinity
    throw error
  }
}
