import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Service, startPeer } from './service.ts'

const BUILD = fileURLToPath(new URL('./peers/bare-stack/build.ts', import.meta.url))

/** Builds the bare stack into an empty folder, which must stay while it runs, and starts it. */
export async function startBareStack(folder: string): Promise<Service> {
  // By a program of its own, so that what building leaves in memory is gone when it is measured.
  await promisify(execFile)(process.execPath, [BUILD, folder])
  return await startPeer('bare-stack/serve', folder)
}
