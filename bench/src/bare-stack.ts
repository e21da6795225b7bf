import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Service, startPeer } from './service.ts'

const BUILD = fileURLToPath(new URL('./peers/bare-stack/build.ts', import.meta.url))

/**
 * Builds the bare stack (a reference for pages, see `peers/bare-stack/serve.ts`) into an empty folder and starts
 * it. The folder must exist while the stack runs.
 */
export async function startBareStack(folder: string): Promise<Service> {
  // Builds in a separate process, so that memory of the build is not measured.
  await promisify(execFile)(process.execPath, [BUILD, folder])
  return await startPeer('bare-stack/serve', folder)
}
