import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../is-errno.ts'

/** Folders in which a TrackSet is made before it is published, on the same file system as published TrackSets. */
export interface Workspace {
  folder: string
  /** Intermediates; never published. */
  work: string
  /** Becomes the TrackSet's folder. */
  set: string
}

/** Inside the media root. No id of a TrackSet can have this name. */
const MAKING = '.making'
const REMOVED = '.removed'
/** Names in `.making` that this module gives. */
const OURS = /^[0-9a-f]{32}(?:\.removed)?$/

export async function makeWorkspace(mediaRoot: string, id: string): Promise<Workspace> {
  const folder = join(mediaRoot, MAKING, id)
  const workspace = { folder, work: join(folder, 'work'), set: join(folder, 'set') }
  await mkdir(workspace.work, { recursive: true })
  await mkdir(workspace.set)
  return workspace
}

export async function removeWorkspace({ folder }: Workspace): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Moves the folder `name` from the media root to `.making`, in one step. If the process is killed before
 * `discardAside`, `clearWorkspaces` removes the folder. A missing folder is not an error.
 *
 * @returns its new path.
 */
export async function setAside(mediaRoot: string, name: string): Promise<string> {
  const aside = join(mediaRoot, MAKING, `${name}${REMOVED}`)
  await mkdir(join(mediaRoot, MAKING), { recursive: true })
  try {
    await rename(join(mediaRoot, name), aside)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  return aside
}

/** Removes a folder that `setAside` moved. */
export async function discardAside(aside: string): Promise<void> {
  await rm(aside, { recursive: true, force: true })
}

/**
 * Removes unfinished work of killed processes. Removes only folders whose names come from `makeWorkspace` or
 * `setAside`.
 *
 * @param before removes only workspaces begun before this time, in milliseconds since the Unix epoch, because
 * other processes may be working in the same media root.
 * @returns the number of removed folders.
 */
export async function clearWorkspaces(mediaRoot: string, before: number): Promise<number> {
  const home = join(mediaRoot, MAKING)
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
