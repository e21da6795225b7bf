import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Service, startPeer } from './service.ts'

const BUILD = fileURLToPath(new URL('./peers/bare-stack/build.ts', import.meta.url))

/** Builds the bare stack into an empty folder and starts it. The folder must stay while the stack runs. */
export async function startBareStack(folder: string): Promise<Service> {
  // A separate process builds the stack, so that memory left by the build is not measured.
  await promisify(execFile)(process.execPath, [BUILD, folder])
  return await startPeer('bare-stack/serve', folder)
}
