import { createHash } from 'node:crypto'
import { escapeMarkup } from './markup.ts'
import { iconPicture } from './pictures.ts'
import { startPage, startScript } from './start-page.ts'
import type { TelevisionApp } from './television-app.ts'

/** The first Tizen whose engine (Chromium 120) supports the styles of the service. Older sets do not offer the app. */
const REQUIRED_TIZEN = '9.0'

/** Size of the launcher's icon. */
const ICON = { width: 512, height: 423 }

/** Returns the files of a Samsung package, by path. Tizen Studio signs the folder and packs it to a `.wgt` file. */
export async function tizenPackage(app: TelevisionApp): Promise<Map<string, string | Buffer>> {
  return new Map<string, string | Buffer>([
    ['config.xml', tizenConfig(app)],
    ['index.html', startPage(app)],
    ['start.js', startScript(app)],
    ['icon.png', await iconPicture(app, ICON)],
  ])
}

/**
 * Writes `config.xml` (W3C Packaged Web Apps, with Tizen's extensions). `allow-navigation` lets the service's pages
 * open inside the app and receive the keys of the remote. It also turns on a content security policy, whose default
 * forbids inline scripts, so the file sets a policy. The service sends a stricter policy with each page.
 */
function tizenConfig({ id, version, name, vendor, address }: TelevisionApp): string {
  const packageId = tizenPackageId(id)
  const { origin, hostname } = address
  return `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets" xmlns:tizen="http://tizen.org/ns/widgets" id="${origin}/${id}" version="${version}" viewmodes="maximized">
  <tizen:application id="${packageId}.watch" package="${packageId}" required_version="${REQUIRED_TIZEN}"/>
  <tizen:profile name="tv-samsung"/>
  <name>${escapeMarkup(name)}</name>
  <author>${escapeMarkup(vendor)}</author>
  <content src="index.html"/>
  <icon src="icon.png"/>
  <feature name="http://tizen.org/feature/screen.size.normal.1080.1920"/>
  <tizen:privilege name="http://tizen.org/privilege/internet"/>
  <tizen:privilege name="http://tizen.org/privilege/tv.inputdevice"/>
  <access origin="*" subdomains="true"/>
  <tizen:allow-navigation>${hostname}</tizen:allow-navigation>
  <tizen:content-security-policy>default-src * data: blob:; script-src 'self' ${origin} 'unsafe-inline' blob:; style-src 'self' ${origin} 'unsafe-inline'; object-src 'none'</tizen:content-security-policy>
  <tizen:setting screen-orientation="landscape" context-menu="disable" background-support="disable" encryption="disable" install-location="auto" hwkey-event="enable"/>
</widget>
`
}

/** Returns Tizen's id of the package, ten letters and digits. The same id of an app always gives the same id. */
function tizenPackageId(id: string): string {
  return createHash('sha256')
    .update(id)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 10)
}
