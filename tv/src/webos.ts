import { iconPicture, namedPicture } from './pictures.ts'
import { startPage, startScript } from './start-page.ts'
import type { TelevisionApp } from './television-app.ts'

/** Returns the files of an LG package, by path. `ares-package` packs the folder to an `.ipk` file. */
export async function webOsPackage(app: TelevisionApp): Promise<Map<string, string | Buffer>> {
  return new Map<string, string | Buffer>([
    ['appinfo.json', `${JSON.stringify(appInfo(app), null, 2)}\n`],
    ['index.html', startPage(app)],
    ['start.js', startScript(app)],
    ['icon.png', await iconPicture(app, { width: 80, height: 80 })],
    ['large-icon.png', await iconPicture(app, { width: 130, height: 130 })],
    ['splash.png', await namedPicture(app, { width: 1920, height: 1080 })],
  ])
}

/** Returns `appinfo.json` (webOS TV, appinfo.json). */
function appInfo({ id, version, name, vendor, background }: TelevisionApp): object {
  return {
    id,
    version,
    vendor,
    title: name,
    type: 'web',
    main: 'index.html',
    icon: 'icon.png',
    largeIcon: 'large-icon.png',
    splashBackground: 'splash.png',
    bgColor: background,
    iconColor: background,
    resolution: '1920x1080',
    // Back then reaches the page as a key. Otherwise webOS would go back in the history, and leave dialogs open.
    disableBackHistoryAPI: true,
  }
}
