import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../test/service.ts'
import { SETTINGS } from '../env.ts'
import { serveKeptPrograms } from '../ingest/live/keeper-server.ts'
import type { Sources } from '../ingest/live/source-request.ts'
import { doctorCommand } from './doctor.ts'
import { keeperSocketPath, takeSocket } from './ownership.ts'

/** Sources of a keeper that runs no ffmpeg, so that no source is ever opened. */
const NO_SOURCES: Sources = {
  open: async () => await Promise.reject(new Error('there is no source')),
  has: () => false,
  release: () => undefined,
}

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

  it('says what the keeper of live inputs does', async () => {
    const said: string[] = []
    const report = ({ text }: { text: string }) => void said.push(text)
    const { signal } = new AbortController()
    const run = async () =>
      await doctorCommand
        .run(service.context, { arguments: [], options: {} }, { signal, report })
        .catch(() => {})
    await run()
    expect(said.join('\n')).toContain('keeper of live inputs: none runs on this machine\n')
    const kept = await takeSocket(keeperSocketPath(service.context.settings.DATA_DIR))
    if (!kept) throw new Error('A keeper of this test runs already.')
    serveKeptPrograms(kept, NO_SOURCES)
    await run()
    kept.close()
    expect(said.join('\n')).toContain('keeper of live inputs: it runs 0 ffmpegs on this machine\n')
  })
})
