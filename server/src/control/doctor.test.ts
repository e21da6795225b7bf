import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../test/service.ts'
import { SETTINGS } from '../env.ts'
import { doctorCommand } from './doctor.ts'

/** Names of settings that are secrets. */
const SECRET = /(?:SECRET|PASSWORD|TOKEN|_KEY)$/

describe('doctor', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(async () => await service.remove())

  it('shows no secret of any setting, and says which are set', async () => {
    const secrets = Object.keys(SETTINGS).filter((name) => SECRET.test(name))
    expect(secrets).toEqual(
      expect.arrayContaining(['STRIPE_SECRET_KEY', 'CASTLABS_PASSWORD', 'AXINOM_KEY', 'DOVERUNNER_SITE_KEY']),
    )
    const values = Object.fromEntries(secrets.map((name) => [name, `value of ${name.toLowerCase()}`]))
    const said: string[] = []
    const report = ({ text }: { text: string }) => void said.push(text)
    // Other checks of `doctor` may fail on the machine that runs the test.
    const context = { ...service.context, settings: { ...service.context.settings, ...values } }
    const { signal } = new AbortController()
    await doctorCommand.run(context, { arguments: [], options: {} }, { signal, report }).catch(() => {})
    const text = said.join('\n')
    for (const [name, value] of Object.entries(values)) {
      expect(text).toContain(`  ${name}=…  `)
      expect(text).not.toContain(value)
    }
  })
})
