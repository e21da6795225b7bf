import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

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
 * Removes the folder `name` of the media root in one step, by moving it among what is being made: a process that is
 * killed on the way leaves it to `clearWorkspaces`. One that is not there is no error.
 */
export async function removeAside(mediaRoot: string, name: string): Promise<void> {
  const aside = join(mediaRoot, MAKING, `${name}.removed`)
  await mkdir(join(mediaRoot, MAKING), { recursive: true })
  try {
    await rename(join(mediaRoot, name), aside)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await rm(aside, { recursive: true, force: true })
}

/**
 * Removes what a process that was killed left half made.
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
    if ((await begunAt(path)) >= before) continue
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
    if (isMissing(error)) return Infinity
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
