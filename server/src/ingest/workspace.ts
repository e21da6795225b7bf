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
 * @param before removes only workspaces begun before this time, in milliseconds since the Unix epoch, because
 * other processes may be working in the same folder.
 * @returns the number of removed folders.
 */
export async function clearWorkspaces(workFolder: string, before: number): Promise<number> {
  const home = join(workFolder, MAKING)
  await mkdir(home, { recursive: true })
  let cleared = 0
  for (const name of await readdir(home)) {
    const path = join(home, name)
    if (!OURS.test(name) || (await begunAt(path)) >= before) continue
    await rm(path, { recursive: true, force: true })
    cleared += 1
  }
  return cleared
}

/** Returns when a workspace was begun; `Infinity` if another process has just removed it. */
async function begunAt(path: string): Promise<number> {
  try {
    return (await stat(path)).birthtimeMs
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return Infinity
    throw error
  }
}
