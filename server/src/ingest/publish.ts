import { open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TrackSet } from '@ondine/media/track-set'
import { programReason, runProgram } from './run-program.ts'
import type { Workspace } from './workspace.ts'

/**
 * Publishes a finished TrackSet at `{mediaRoot}/{id}` in one step. All its files are on the disk before the
 * folder gets its name. The folder also contains `track-set.json`, so that the media can be understood
 * without the database.
 */
export async function publish(
  workspace: Workspace,
  mediaRoot: string,
  trackSet: TrackSet,
  signal: AbortSignal,
): Promise<void> {
  await writeFile(join(workspace.set, 'track-set.json'), `${JSON.stringify(trackSet, null, 1)}\n`)
  await flush(workspace.set, signal)
  signal.throwIfAborted()
  const published = join(mediaRoot, trackSet.id)
  await rename(workspace.set, published)
  await flushFolder(dirname(published))
}

/** Asks the kernel to write out the file system that contains `folder`. One call covers thousands of files. */
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
