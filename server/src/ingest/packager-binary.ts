import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Returns the path of the shaka-packager for this platform, from its npm package. */
export function packagerBinary(platform: NodeJS.Platform, architecture: string): string {
  const system = platform === 'darwin' ? 'osx' : platform === 'win32' ? 'win' : platform
  const name = `packager-${system}-${architecture}${platform === 'win32' ? '.exe' : ''}`
  const home = dirname(createRequire(import.meta.url).resolve('shaka-packager/package.json'))
  return join(home, 'bin', name)
}
