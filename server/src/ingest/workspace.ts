import { mkdir, readdir, rm } from 'node:fs/promises'
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
 * Removes what a process that was killed left half made. To be called at start, before the first job.
 *
 * @returns how many there were.
 */
export async function clearWorkspaces(mediaRoot: string): Promise<number> {
  await mkdir(mediaRoot, { recursive: true })
  const home = join(mediaRoot, MAKING)
  await mkdir(home, { recursive: true })
  const left = await readdir(home)
  for (const name of left) await rm(join(home, name), { recursive: true, force: true })
  return left.length
}
