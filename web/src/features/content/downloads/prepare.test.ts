import type { LicenceSource } from '@ondine/contract/downloads'
import { expect, test } from 'vitest'
import { DownloadSetupError, requireComplete } from './prepare.ts'

const LICENCE: LicenceSource = {
  provider: 'clearkey',
  keySystem: 'org.w3.clearkey',
  authMethod: 'token',
  licenceUrl: '/proxy/downloadLicence',
  token: 'signed',
}
const URL = '/play/token/manifest.mpd'

test('A4.9-05 a download is prepared with its source, auth method, licence request URI and token', () => {
  expect(() => requireComplete({ url: URL, licence: LICENCE }, true)).not.toThrow()
  expect(() => requireComplete({ url: URL, licence: null }, false)).not.toThrow()
})

test.each([
  ['no player source url', { url: '' }],
  ['no licence parameter', { licence: null }],
  ['no auth method', { licence: { ...LICENCE, authMethod: '' } }],
  ['no licence request URI', { licence: { ...LICENCE, licenceUrl: '' } }],
  ['no DRM token', { licence: { ...LICENCE, token: '' } }],
  ['no certificate URI', { licence: { ...LICENCE, keySystem: 'com.apple.fps' } }],
  ['unsupported DRM provider', { licence: { ...LICENCE, provider: 'brand' } }],
  ['unsupported DRM type', { licence: { ...LICENCE, keySystem: 'com.microsoft.playready' } }],
])('A8.3-17 %s', (fault, lacking) => {
  // Some fields of the answer are missing or wrong on purpose, so its type does not fit.
  const answer = { url: URL, licence: LICENCE, ...lacking } as Parameters<typeof requireComplete>[0]
  expect(() => requireComplete(answer, true)).toThrow(
    expect.objectContaining({ name: 'DownloadSetupError', fault }),
  )
  expect(() => requireComplete(answer, true)).toThrow(DownloadSetupError)
})
