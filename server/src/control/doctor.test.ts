import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doctorSays } from '../../test/commands.ts'
import { startTestService, type TestService } from '../../test/service.ts'
import { SETTINGS } from '../env.ts'
import { serveKeptPrograms } from '../ingest/live/keeper-server.ts'
import type { Sources } from '../ingest/live/source-request.ts'
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
    const context = { ...service.context, settings: { ...service.context.settings, ...values } }
    const text = await doctorSays({ context })
    for (const [name, value] of Object.entries(values)) {
      expect(text).toContain(`  ${name}=…  `)
      expect(text).not.toContain(value)
    }
  })

  it('says what the keeper of live inputs does', async () => {
    expect(await doctorSays(service)).toContain(
      `keeper of live inputs: none runs on the machine ${hostname()}\n`,
    )
    const kept = await takeSocket(keeperSocketPath(service.context.settings.DATA_DIR), (server) =>
      serveKeptPrograms(server, NO_SOURCES),
    )
    if (!kept) throw new Error('A keeper of this test runs already.')
    const said = await doctorSays(service)
    await kept.served.close()
    expect(said).toContain(`keeper of live inputs: it runs 0 ffmpegs on the machine ${hostname()}\n`)
  })
})
