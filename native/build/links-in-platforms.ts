/** Links that open the app: https links to the host `host`, and all links with the scheme. */
export interface AppLinks {
  /** The scheme without its colon. */
  scheme: string
  host: string
}

/** Thrown for a platform file whose format differs from Capacitor's template. */
export class UnknownFormError extends Error {
  override readonly name = 'UnknownFormError'
}

/** Marks the lines that a later run replaces. */
const BEGIN = 'links of Ondine'
const END = 'end of links of Ondine'

/**
 * Adds the links to the manifest of an Android app. Also disables backups of the app, because its tokens are valid
 * for one device only.
 * @throws UnknownFormError
 */
export function linksInManifest(manifest: string, { scheme, host }: AppLinks): string {
  const filter = (data: string, verify: string) =>
    [
      `            <intent-filter${verify}>`,
      '                <action android:name="android.intent.action.VIEW" />',
      '                <category android:name="android.intent.category.DEFAULT" />',
      '                <category android:name="android.intent.category.BROWSABLE" />',
      `                <data ${data} />`,
      '            </intent-filter>',
    ].join('\n')
  const filters = [
    `            <!-- ${BEGIN} -->`,
    filter(`android:scheme="https" android:host="${host}"`, ' android:autoVerify="true"'),
    filter(`android:scheme="${scheme}"`, ''),
    `            <!-- ${END} -->`,
  ].join('\n')
  const plain = withoutMarked(manifest, `<!-- ${BEGIN} -->`, `<!-- ${END} -->`)
  const linked = insertBefore(plain, /^ *<\/activity>/m, `${filters}\n`, 'an activity')
  return linked.replace('android:allowBackup="true"', 'android:allowBackup="false"')
}

/** Adds the scheme to the `Info.plist` of an iOS app. @throws UnknownFormError */
export function schemeInPlist(plist: string, { scheme }: AppLinks): string {
  const types = [
    `\t<!-- ${BEGIN} -->`,
    '\t<key>CFBundleURLTypes</key>',
    '\t<array>',
    '\t\t<dict>',
    '\t\t\t<key>CFBundleURLSchemes</key>',
    `\t\t\t<array><string>${scheme}</string></array>`,
    '\t\t</dict>',
    '\t</array>',
    `\t<!-- ${END} -->`,
  ].join('\n')
  const plain = withoutMarked(plist, `<!-- ${BEGIN} -->`, `<!-- ${END} -->`)
  return insertBefore(plain, /^<\/dict>\s*<\/plist>/m, `${types}\n`, 'a dictionary at its end')
}

/** Returns the entitlements file that lets https links to the host open an iOS app. */
export function entitlements({ host }: AppLinks): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '\t<key>com.apple.developer.associated-domains</key>',
    `\t<array><string>applinks:${host}</string></array>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

/** Path of the entitlements file, relative to the folder of the Xcode project. */
export const ENTITLEMENTS_FILE = 'App/App.entitlements'

/** Sets the entitlements file in each configuration of the Xcode project. @throws UnknownFormError */
export function entitlementsInProject(project: string): string {
  if (project.includes('CODE_SIGN_ENTITLEMENTS')) return project
  const setting = /^(\s*)INFOPLIST_FILE = App\/Info\.plist;/gm
  if (!setting.test(project)) throw new UnknownFormError('The Xcode project names no Info.plist.')
  return project.replaceAll(setting, `$1CODE_SIGN_ENTITLEMENTS = ${ENTITLEMENTS_FILE};\n$&`)
}

function withoutMarked(text: string, begin: string, end: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from === -1 || to < from) return text
  const lineStart = text.lastIndexOf('\n', from) + 1
  return text.slice(0, lineStart) + text.slice(text.indexOf('\n', to) + 1)
}

function insertBefore(text: string, place: RegExp, added: string, what: string): string {
  const found = place.exec(text)
  if (found === null) throw new UnknownFormError(`The file has no ${what}.`)
  return text.slice(0, found.index) + added + text.slice(found.index)
}
