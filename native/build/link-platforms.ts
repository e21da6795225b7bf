import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { APP_SCHEME } from '@ondine/contract/constants'
import { readAppSettings } from './app-settings.ts'
import {
  type AppLinks,
  ENTITLEMENTS_FILE,
  entitlements,
  entitlementsInProject,
  linksInManifest,
  schemeInPlist,
} from './links-in-platforms.ts'

/**
 * Registers the app for its links in the projects that `npx cap add` created in `native/android` and `native/ios`
 * (docs/native.md).
 */
const links: AppLinks = {
  scheme: APP_SCHEME.slice(0, -1),
  host: new URL(readAppSettings(process.env).ONDINE_SERVICE).host,
}
const platforms = [fileOf('android'), fileOf('ios')].filter(existsSync)
if (platforms.length === 0) throw new Error('There is no platform yet: run `npx cap add ios` or `android`.')

if (existsSync(fileOf('android')))
  await change('android/app/src/main/AndroidManifest.xml', (text) => linksInManifest(text, links))
if (existsSync(fileOf('ios'))) {
  await change('ios/App/App/Info.plist', (text) => schemeInPlist(text, links))
  await change('ios/App/App.xcodeproj/project.pbxproj', entitlementsInProject)
  await writeFile(fileOf(`ios/App/${ENTITLEMENTS_FILE}`), entitlements(links))
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

async function change(path: string, edit: (text: string) => string): Promise<void> {
  await writeFile(fileOf(path), edit(await readFile(fileOf(path), 'utf8')))
}
