import { describe, expect, it } from 'vitest'
import { readSettings, SETTINGS, SettingsError } from './env.ts'

describe('settings', () => {
  it('have defaults, and an empty value counts as not set', () => {
    expect(readSettings({ PORT: '' })).toMatchObject({ PORT: 4000, DEMO: false, LOG_LEVEL: 'info' })
    expect(readSettings({ PORT: '8080', DEMO: 'true' })).toMatchObject({ PORT: 8080, DEMO: true })
  })

  it('list all their faults at once, by name', () => {
    const read = () =>
      readSettings({ PORT: '99999', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', DEMO: 'perhaps' })
    expect(read).toThrow(SettingsError)
    expect(read).toThrow(/PORT: .*\n.*DATABASE_URL: .*\n.*LOG_LEVEL: .*\n.*DEMO: /)
  })

  it('are documented, each of them', () => {
    for (const [name, schema] of Object.entries(SETTINGS)) expect(schema.description, name).toMatch(/\.$/)
  })
})
