import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  entitlements,
  entitlementsInProject,
  linksInManifest,
  schemeInPlist,
  UnknownFormError,
} from './links-in-platforms.ts'

const LINKS = { scheme: 'ondine', host: 'tv.example' }

/** Returns a file of the archive from which Capacitor creates a platform's project. */
function template(archive: string, file: string): string {
  const cli = dirname(createRequire(import.meta.url).resolve('@capacitor/cli/package.json'))
  return execFileSync('tar', ['-xzOf', join(cli, 'assets', archive), file], { encoding: 'utf8' })
}

describe('V1-13 the links of the apps', () => {
  test('the manifest of Android gets the host and the scheme once, however often it is written', () => {
    const manifest = template('android-template.tar.gz', 'app/src/main/AndroidManifest.xml')
    const once = linksInManifest(manifest, { ...LINKS, host: 'old.example' })
    const twice = linksInManifest(once, LINKS)
    expect(twice).toBe(linksInManifest(manifest, LINKS))
    expect(twice).toContain('<data android:scheme="https" android:host="tv.example" />')
    expect(twice).toContain('<data android:scheme="ondine" />')
    expect(twice).not.toContain('old.example')
    expect(twice.match(/<intent-filter/g)).toHaveLength(3)
    expect(twice.indexOf('android:scheme')).toBeLessThan(twice.indexOf('</activity>'))
    expect(twice).toContain('android:allowBackup="false"')
  })

  test('the files of iOS get the scheme, the host, and the entitlements in each configuration', () => {
    const plist = template('ios-spm-template.tar.gz', 'App/App/Info.plist')
    const linked = schemeInPlist(schemeInPlist(plist, LINKS), LINKS)
    expect(linked.match(/<string>ondine<\/string>/g)).toHaveLength(1)
    expect(linked.trimEnd().endsWith('</plist>')).toBe(true)
    expect(entitlements(LINKS)).toContain('<string>applinks:tv.example</string>')
    const project = template('ios-spm-template.tar.gz', 'App/App.xcodeproj/project.pbxproj')
    const named = entitlementsInProject(entitlementsInProject(project))
    expect(named.match(/CODE_SIGN_ENTITLEMENTS = App\/App\.entitlements;/g)).toHaveLength(2)
  })

  test('a file of another form is refused', () => {
    for (const text of ['', '<manifest></manifest>', 'x']) {
      expect(() => linksInManifest(text, LINKS)).toThrow(UnknownFormError)
      expect(() => schemeInPlist(text, LINKS)).toThrow(UnknownFormError)
      expect(() => entitlementsInProject(text)).toThrow(UnknownFormError)
    }
  })
})
