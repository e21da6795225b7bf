import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readSettings, SETTINGS, SettingsError } from './env.ts'

describe('settings', () => {
  it('have defaults, and an empty value counts as not set', () => {
    expect(readSettings({ PORT: '' })).toMatchObject({ PORT: 4000, DEMO: false, LOG_LEVEL: 'info' })
    expect(readSettings({ PORT: '8080', DEMO: 'true' })).toMatchObject({ PORT: 8080, DEMO: true })
  })

  it('list all faults at once, by name', () => {
    const read = () =>
      readSettings({ PORT: '99999', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', DEMO: 'perhaps' })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(
      [
        '  PORT: must be at most 65535',
        '  DATABASE_URL: must be an address such as postgres://user@host/database',
        '  LOG_LEVEL: must be one of trace, debug, info, warn, error, silent',
        '  DEMO: must be yes or no',
      ].join('\n'),
    )
  })

  it('require at least two connections, because a process with one deadlocks at its start', () => {
    expect(() => readSettings({ DATABASE_POOL_SIZE: '1' })).toThrow(/DATABASE_POOL_SIZE: /)
    expect(readSettings({ DATABASE_POOL_SIZE: '2' })).toMatchObject({ DATABASE_POOL_SIZE: 2 })
  })

  it('accept only origins of native apps as browsers send them', () => {
    const written = 'capacitor://localhost, https://localhost:8100'
    expect(readSettings({ APP_ORIGINS: written }).APP_ORIGINS).toEqual(written.split(', '))
    for (const wrong of ['null', '*', 'localhost', 'capacitor://localhost/', 'https://Localhost', 'https://'])
      expect(() => readSettings({ APP_ORIGINS: wrong })).toThrow(/APP_ORIGINS: must be origins/)
  })

  it('accept as PUBLIC_URL only an origin, because links have no other part of it', () => {
    for (const right of ['https://tv.example', 'https://tv.example/', 'http://192.0.2.7:4000'])
      expect(readSettings({ PUBLIC_URL: right }).PUBLIC_URL).toBe(right)
    for (const wrong of ['/watch', '/?from=mail', '/#home'].map((rest) => `https://tv.example${rest}`))
      expect(() => readSettings({ PUBLIC_URL: wrong })).toThrow(/PUBLIC_URL: must be an origin/)
    expect(() => readSettings({ PUBLIC_URL: 'https://me:secret@tv.example' })).toThrow(/PUBLIC_URL: /)
  })

  it('accept as OUTBOUND_ALLOW only hosts, addresses and networks, in any case', () => {
    const written = 'Tuner.lan, localhost, 10.0.0.0/8, 192.168.1.7, FD00::/8, ::1'
    expect(readSettings({ OUTBOUND_ALLOW: written }).OUTBOUND_ALLOW).toEqual(
      written.toLowerCase().split(', '),
    )
    for (const wrong of [
      '10.0.0.0/99',
      '10.0.0.300',
      'http://tuner.lan',
      'tuner.lan:8080',
      'foo bar',
      '*.lan',
    ])
      expect(() => readSettings({ OUTBOUND_ALLOW: `tuner.lan,${wrong}` })).toThrow(
        /OUTBOUND_ALLOW: must be host names, addresses or networks/,
      )
  })

  it('V8-08 refuse a SENTRY_DSN without a key or a project', () => {
    expect(readSettings({ SENTRY_DSN: 'https://key@sentry.example/1' }).SENTRY_DSN).toContain('key')
    for (const wrong of [
      'https://sentry.example/',
      'https://sentry.example/1',
      'https://key@sentry.example/',
    ])
      expect(() => readSettings({ SENTRY_DSN: wrong })).toThrow(/SENTRY_DSN: must be an address such as/)
  })

  it('read VAT rates and the lines of the seller', () => {
    const { VAT_RATES, SELLER } = readSettings({ VAT_RATES: 'BE 2014-01-01 21', SELLER: 'Rive SAS | Nantes' })
    expect([...VAT_RATES.keys()]).toEqual(['BE'])
    expect(SELLER).toEqual(['Rive SAS', 'Nantes'])
    for (const wrong of ['20', 'FR 20', 'FR 2014-01-01 -1', 'FR 2014-02-30 20', ', ,'])
      expect(() => readSettings({ VAT_RATES: wrong })).toThrow(/VAT_RATES: must be rates such as/)
  })

  it('V4-26 refuse an unsupported provider of licences, and name what a provider needs', () => {
    expect(readSettings({}).DRM_PROVIDER).toBe('clearkey')
    expect(() => readSettings({ DRM_PROVIDER: 'other' })).toThrow(/DRM_PROVIDER: is an unsupported provider/)
    expect(() => readSettings({ DRM_PROVIDER: 'axinom', AXINOM_KEY: 'short' })).toThrow(
      /AXINOM_KEY: must be 32 bytes/,
    )
    expect(() => readSettings({ DRM_PROVIDER: 'doverunner', DOVERUNNER_SITE_ID: 'ABCD' })).toThrow(
      /DOVERUNNER_SITE_KEY: is missing: .*\n.*DOVERUNNER_ACCESS_KEY: is missing/,
    )
  })

  it('name the missing one of two that go together', () => {
    const [key, secret] = [{ STRIPE_SECRET_KEY: 'sk_test_1' }, { STRIPE_WEBHOOK_SECRET: 'whsec_1' }]
    expect(() => readSettings(key)).toThrow(/STRIPE_WEBHOOK_SECRET: /)
    expect(() => readSettings(secret)).toThrow(/STRIPE_SECRET_KEY: /)
    expect(readSettings({ ...key, ...secret })).toMatchObject({ ...key, ...secret })
    expect(() => readSettings({ STRIPE_API_BASE: 'ftp://stripe.test' })).toThrow(/STRIPE_API_BASE: /)
  })

  it('name all missing ones of several that go together', () => {
    expect(() => readSettings({ APPLE_BUNDLE_ID: 'tv.ondine' })).toThrow(/APPLE_APP_ID: is missing/)
    expect(() => readSettings({ APPLE_BUNDLE_ID: 'tv.ondine', APPLE_APP_ID: 'x' })).toThrow(/APPLE_APP_ID: /)
    expect(() => readSettings({ GOOGLE_PACKAGE_NAME: 'tv.ondine' })).toThrow(
      /GOOGLE_SERVICE_ACCOUNT: .*\n.*GOOGLE_NOTICE_AUDIENCE: .*\n.*GOOGLE_NOTICE_ACCOUNT: /,
    )
    expect(readSettings({ APPLE_BUNDLE_ID: 'tv.ondine', APPLE_APP_ID: '7' })).toMatchObject({
      APPLE_APP_ID: 7,
      APPLE_SANDBOX: false,
      APPLE_REVOCATION_CHECKS: true,
    })
  })

  it('name all missing ones of three that go together', () => {
    const publisher = { CLEENG_PUBLISHER_ID: '870875731' }
    expect(() => readSettings(publisher)).toThrow(/CLEENG_PUBLISHER_TOKEN: .*\n.*CLEENG_CHECKOUT_URL: /)
    const all = { ...publisher, CLEENG_PUBLISHER_TOKEN: 'secret', CLEENG_CHECKOUT_URL: 'https://pay.test/' }
    expect(readSettings(all)).toMatchObject(all)
    expect(() => readSettings({ ...all, CLEENG_CHECKOUT_URL: 'javascript:alert(1)' })).toThrow(
      /CHECKOUT_URL: /,
    )
    expect(() => readSettings({ ...all, CLEENG_PUBLISHER_TOKEN: 'two\nlines' })).toThrow(/PUBLISHER_TOKEN: /)
  })

  it('all have a description', () => {
    for (const [name, schema] of Object.entries(SETTINGS)) expect(schema.description, name).toMatch(/\.$/)
  })

  it('are all in the operating guide', async () => {
    const guide = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
    expect(Object.keys(SETTINGS).filter((name) => !guide.includes(`\`${name}`))).toEqual([])
  })
})
