import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../is-errno.ts'

/** Where a TrackSet is made before it is published, on the same file system as the published ones. */
export interface Workspace {
  folder: string
  /** Intermediates; never published. */
  work: string
  /** What becomes the TrackSet's folder. */
  set: string
}

/** Inside the media root; no TrackSet's id can be like it. */
const MAKING = '.making'
const REMOVED = '.removed'
/** Names in `.making` that are given here. */
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
 * Takes the folder `name` out of the media root in one step, by moving it among what is being made. A kill before
 * `discardAside` leaves it to `clearWorkspaces`. A missing folder is no error.
 *
 * @returns where it is now.
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

/** Removes what `setAside` took out. */
export async function discardAside(aside: string): Promise<void> {
  await rm(aside, { recursive: true, force: true })
}

/**
 * Removes what a process that was killed left half made. Only names that `makeWorkspace` and `setAside` give are removed.
 *
 * @param before only what was begun before this moment, in milliseconds since the Unix epoch: other processes may be at
 * work in the same media root.
 * @returns how many there were.
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

/** When a workspace was begun; never, for one that another process has just finished with. */
async function begunAt(path: string): Promise<number> {
  try {
    return (await stat(path)).birthtimeMs
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return Infinity
    throw error
  }
}
