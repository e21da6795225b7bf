import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountDetails, oauthToken, session } from '@ondine/contract/accounts'
import { ERRORS } from '@ondine/contract/errors'
import { importProgress } from '@ondine/contract/library'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../test/builders.ts'
import { doctorSays, runCommand } from '../../../../test/commands.ts'
import { copyEmbedded } from '../../../../test/databases.ts'
import { startTestService, type TestService } from '../../../../test/service.ts'
import type { Settings } from '../../../env.ts'
import {
  DEMONSTRATION_PARENTAL_CODE,
  DEMONSTRATION_PASSWORD,
  ensureDemonstrationAccounts,
  RENTER,
  SUBSCRIBER,
} from './demonstration-accounts.ts'
import { ensureDemonstrationStorefronts } from './demonstration-storefronts.ts'

it('the README tells the password and the parental code of the demonstration', async () => {
  const readme = await readFile(new URL('../../../../../README.md', import.meta.url), 'utf8')
  for (const secret of [DEMONSTRATION_PASSWORD, DEMONSTRATION_PARENTAL_CODE])
    expect(readme).toContain(`\`${secret}\``)
})

describe('an installation that was begun', { timeout: 300_000 }, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-demonstration-'))
    for (const name of ['demonstration', 'unused', 'ordinary', 'mixed'])
      await copyEmbedded(join(folder, name))
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  /** Opens an installation, and closes it after `work`. */
  async function opened(
    name: string,
    settings: Partial<Settings>,
    work: (service: TestService) => Promise<void> = async () => {},
  ): Promise<void> {
    const service = await startTestService('embedded', { DATA_DIR: join(folder, name), ...settings })
    try {
      await work(service)
    } finally {
      await service.remove()
    }
  }
  const signIn = async (service: TestService, username = SUBSCRIBER) =>
    await service.call(oauthToken, { username, password: DEMONSTRATION_PASSWORD, grant_type: 'password' })
  const furnish = async ({ context }: TestService) =>
    await ensureDemonstrationAccounts(context, await ensureDemonstrationStorefronts(context))
  const isShown = async (service: TestService) =>
    (await service.call(session, {})).result.storefront.demonstration

  it('with the demonstration closes its accounts, and shows nothing of it, while DEMO is off', async () => {
    let tokens = {}
    await opened('demonstration', { DEMO: true }, async (service) => {
      await furnish(service)
      tokens = { 'x-auth-token': (await signIn(service)).result.access_token }
      expect(await isShown(service)).toBe(true)
      expect((await service.call(importProgress, {})).status).toBe(200)
    })
    await opened('demonstration', { DEMO: false }, async (service) => {
      expect(await isShown(service)).toBe(false)
      expect(await doctorSays(service)).toContain('! demonstration: this installation was begun as')
      expect((await service.call(importProgress, {})).status).toBe(403)
      service.start()
      await expect.poll(async () => (await signIn(service)).error.code).toBe(ERRORS.signInFailed.code)
      await expect.poll(async () => (await signIn(service, RENTER)).status).toBe(401)
      expect((await service.call(accountDetails, {}, tokens)).status).toBe(401)
    })
    await opened('demonstration', { DEMO: true }, async (service) => {
      await furnish(service)
      expect((await signIn(service)).status).toBe(200)
      expect(await isShown(service)).toBe(true)
      expect(await doctorSays(service)).not.toContain('! demonstration')
    })
  })

  it('by a command before the first start becomes the demonstration with DEMO on', async () => {
    await opened('unused', { DEMO: false }, async (service) => {
      await doctorSays(service)
    })
    await opened('unused', { DEMO: true }, async (service) => {
      await furnish(service)
      expect(await isShown(service)).toBe(true)
      expect(service.context.storefronts.list().map(({ apiKey }) => apiKey)).toEqual(['demo', 'nocturne'])
      expect((await signIn(service)).status).toBe(200)
    })
  })

  it('without the demonstration does not start with DEMO on', async () => {
    await opened('ordinary', { DEMO: false }, async (service) => {
      await runCommand(service, 'accounts create', ['sacha@ondine.test'], { password: PASSWORD })
    })
    await expect(opened('ordinary', { DEMO: true })).rejects.toThrow(/^DEMO is on, .* Set DEMO=false/)
    await opened('ordinary', { DEMO: false }, async ({ context }) =>
      expect(context.storefronts.list().map(({ apiKey }) => apiKey)).toEqual(['ondine']),
    )
  })
  it('without the demonstration tells how to remove storefronts of the demonstration', async () => {
    await opened('mixed', { DEMO: false }, async (service) => {
      await ensureDemonstrationStorefronts(service.context)
      const said = await doctorSays(service)
      expect(said).toContain('! demonstration: the demonstration was once started in this installation.')
      expect(said).toContain('Then remove its storefronts: `storefronts remove nocturne`')
      expect(said).not.toContain('Begin your own service')
      await runCommand(service, 'storefronts remove', ['nocturne'], { accounts: '0' })
      expect(await doctorSays(service)).not.toContain('! demonstration')
    })
  })
})
