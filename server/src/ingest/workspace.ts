import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../is-errno.ts'

/** Folders in which a TrackSet is made before it is published, in the store's `workFolder`. */
export interface Workspace {
  folder: string
  /** Intermediates; never published. */
  work: string
  /** Becomes the TrackSet's folder. */
  set: string
}

/** Folder of unfinished and removed TrackSets. No id of a TrackSet can have this name. */
export const MAKING = '.making'
/** End of the name of a TrackSet that was set aside to be removed. */
export const REMOVED = '.removed'
/** Names in `.making` that `makeWorkspace` and the store of segments give. */
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
 * Removes unfinished work of killed processes. Removes only folders whose names come from `makeWorkspace` or
 * the store of segments.
 *
 * @param before removes only workspaces begun before this time, and TrackSets set aside before it, in milliseconds
 * since the Unix epoch, because other processes may be working in the same folder.
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

/** Returns when a folder got its present name; `Infinity` if another process has just removed it. */
async function begunAt(path: string): Promise<number> {
  try {
    const { birthtimeMs, ctimeMs } = await stat(path)
    // A rename sets the change time. That of a workspace changes with the files in it.
    return path.endsWith(REMOVED) ? ctimeMs : birthtimeMs
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return Infinity
    throw error
  }
}
