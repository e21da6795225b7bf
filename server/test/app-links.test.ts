import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../src/env.ts'
import { startTestService, type TestService } from './service.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'A7').join(':')

describe('links that open the native apps', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService('embedded', {
      IOS_APPS: ['A1B2C3D4E5.tv.example.app'],
      ANDROID_APPS: [`tv.example.app=${FINGERPRINT}`],
    })
  })
  afterAll(async () => await service.remove())

  it('V1-13 Android finds the app and its certificate', async () => {
    const answer = await service.app.inject('/.well-known/assetlinks.json')
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.json()).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'tv.example.app',
          sha256_cert_fingerprints: [FINGERPRINT],
        },
      },
    ])
  })

  it('V1-13 iOS finds the app, for all pages except those of a payment', async () => {
    const answer = await service.app.inject('/.well-known/apple-app-site-association')
    expect(answer.headers['content-type']).toContain('application/json')
    const [{ appIDs, components }] = answer.json().applinks.details
    expect(appIDs).toEqual(['A1B2C3D4E5.tv.example.app'])
    expect(components).toEqual([{ '/': '/sandbox-payments/*', exclude: true }, { '/': '/*' }])
  })
})

describe('the settings of the apps', () => {
  it.each([
    { IOS_APPS: 'tv.example.app' },
    { IOS_APPS: 'a1b2c3d4e5.tv.example.app' },
    { IOS_APPS: 'A1B2C3D4E5.tv.example.app, other' },
    { ANDROID_APPS: 'tv.example.app' },
    { ANDROID_APPS: `tv=${FINGERPRINT}` },
    { ANDROID_APPS: `tv.example.app=${FINGERPRINT.toLowerCase()}` },
    { ANDROID_APPS: `tv.example.app=${FINGERPRINT}:A7` },
    { ANDROID_APPS: '=' },
  ])('%j are refused', (wrong) => {
    expect(() => readSettings(wrong)).toThrow(/must be (?:ids of apps|names of packages)/)
  })

  it('are lists', () => {
    const { IOS_APPS, ANDROID_APPS } = readSettings({
      IOS_APPS: 'A1B2C3D4E5.tv.example.app, A1B2C3D4E5.tv.example.beta',
      ANDROID_APPS: `tv.example.app=${FINGERPRINT}`,
    })
    expect(IOS_APPS).toHaveLength(2)
    expect(ANDROID_APPS).toEqual([`tv.example.app=${FINGERPRINT}`])
  })
})
