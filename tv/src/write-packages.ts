import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { androidProject } from './android.ts'
import type { TelevisionApp } from './television-app.ts'
import { tizenPackage } from './tizen.ts'
import { webOsPackage } from './webos.ts'

/** The packages, by the name of their folder. */
const PACKAGES = { tizen: tizenPackage, webos: webOsPackage, 'android-tv': androidProject } as const

/** Writes the package folders of an app into `folder`, over those of an earlier run. Returns the folders. */
export async function writePackages(app: TelevisionApp, folder: string): Promise<string[]> {
  return await Promise.all(
    Object.entries(PACKAGES).map(async ([platform, filesOf]) => {
      const target = join(folder, platform)
      for (const [path, content] of await filesOf(app)) {
        await mkdir(dirname(join(target, path)), { recursive: true })
        await writeFile(join(target, path), content)
      }
      return target
    }),
  )
}
