import { loginDevice } from '@ondine/contract/account-calls'
import { accountDetails, logout, session } from '@ondine/contract/accounts'
import { activeAssets, contentData, homeContent } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { casAddDevice, casAvailableDevice } from '@ondine/contract/devices'
import { favoriteAssets } from '@ondine/contract/favourites'
import { listAssetTags } from '@ondine/contract/playback'
import { listProfiles } from '@ondine/contract/profiles'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { accounts } from '../accounts/accounts.table.ts'

describe.each(MAIN_DB)('sessions of an account, on a database of kind %s', (kind) => {
  const scene = testScene(kind)

  it('A7.1-12 a registered device renews the token after it has ended, until the device is removed or the account closed', async () => {
    const { account } = await scene.make.actor()
    const tokens = await scene.signedIn(account.email)
    const deviceUniqueId = 'browser-of-camille'
    const device = (await scene.service.call(casAddDevice, { deviceUniqueId }, tokens)).result.deviceAuthToken
    scene.service.clock.advance(25 * 3600_000)
    expect((await scene.service.call(accountDetails, {}, tokens)).error.code).toBe(-1)
    const renewed = await scene.service.call(loginDevice, {}, { 'x-device-token': device })
    const again = { 'x-auth-token': renewed.result.newAuthToken }
    expect((await scene.service.call(accountDetails, {}, again)).result.email).toBe(account.email)

    expect((await scene.service.call(loginDevice, {}, { 'x-device-token': `${device}x` })).error.code).toBe(
      -1,
    )
    expect(
      (await scene.service.call(loginDevice, {}, { 'x-device-token': tokens['x-auth-token'] })).error.code,
    ).toBe(-1)
    await scene.service.context.db.update(accounts).set({ status: 'BANNED' }).where(sql`id = ${account.id}`)
    expect((await scene.service.call(loginDevice, {}, { 'x-device-token': device })).error.code).toBe(-1)
    expect((await scene.service.call(accountDetails, {}, again)).error.code).toBe(-1)
  })

  it('A4.4-01 a page opened with an ended token is a visitor’s page, or continues where a device is registered', async () => {
    const { account } = await scene.make.actor()
    const tokens = await scene.signedIn(account.email)
    const { deviceAuthToken } = (
      await scene.service.call(casAddDevice, { deviceUniqueId: 'browser-of-page' }, tokens)
    ).result
    scene.service.clock.advance(25 * 3600_000)
    const key = { 'x-identity-key': scene.service.context.storefronts.first().apiKey }
    const cookie = `ondine_account=${tokens['x-auth-token']}`
    expect((await scene.service.call(session, {}, { ...key, cookie })).result.account).toBeNull()
    const both = `${cookie}; ondine_device=${deviceAuthToken}`
    const open = (await scene.service.call(session, {}, { ...key, cookie: both })).result.account
    expect(open?.email).toBe(account.email)
    expect(open?.tokenExpiresAt).toBe(Math.floor(scene.service.clock.now() / 1000) + 24 * 3600)
    const broken = await scene.service.call(session, {}, { ...key, cookie: 'ondine_account=x' })
    expect(broken.result.account).toBeNull()
  })

  it('A3-04 each status permits what it should', async () => {
    const statuses = {
      ACTIVE: 0,
      SUSPENDED: 0,
      PENDING_ACTIVATION: -2334,
      INACTIVE: -3000,
      BANNED: -3000,
      ARCHIVED: -3000,
    }
    for (const [status, code] of Object.entries(statuses)) {
      const { account } = await scene.make.actor({ status: status as 'ACTIVE' })
      expect((await scene.signIn(account.email)).error.code, status).toBe(code)
    }
  })

  it('A3-04 a valid token of a closed account reads nothing; a suspended account still reads', async () => {
    const film = (await scene.make.asset('La Houle')).id
    const { account, tokens } = await scene.make.actor()
    const reads = async () => [
      await scene.service.call(homeContent, {}, tokens),
      await scene.service.call(contentData, { idAsset: film }, tokens),
      await scene.service.call(activeAssets, { watchingMin: 0, watchingMax: 100 }, tokens),
      await scene.service.call(listChannels, {}, tokens),
      await scene.service.call(listAssetTags, { idAsset: film }, tokens),
      await scene.service.call(listProfiles, {}, tokens),
      await scene.service.call(favoriteAssets, {}, tokens),
    ]
    const answeredIn = async (status: 'ACTIVE' | 'SUSPENDED' | 'BANNED') => {
      await scene.service.context.db.update(accounts).set({ status }).where(sql`id = ${account.id}`)
      return new Set((await reads()).map(({ status: http, error }) => `${http} ${error.code}`))
    }
    expect(await answeredIn('ACTIVE')).toEqual(new Set(['200 0']))
    expect(await answeredIn('BANNED')).toEqual(new Set(['401 -1']))
    // The account is open again. Its tokens become valid once this process has received the notice.
    await expect.poll(async () => await answeredIn('SUSPENDED')).toEqual(new Set(['200 0']))
  })

  it('A4.4-04 a tab that is refused after another tab signed out leaves the device’s own id in the browser', async () => {
    const { account } = await scene.make.actor()
    const key = { 'x-identity-key': scene.service.context.storefronts.first().apiKey }
    const deviceUniqueId = 'browser-of-two-tabs'
    const tokens = await scene.signedIn(account.email)
    const { deviceAuthToken } = (await scene.service.call(casAddDevice, { deviceUniqueId }, tokens)).result
    const refused = async (cookie: string) => {
      const answer = await scene.service.app.inject({
        method: loginDevice.method,
        url: loginDevice.path,
        headers: { ...key, cookie },
      })
      expect(answer.statusCode).toBe(401)
      return answer.cookies.filter(({ value }) => value === '').map(({ name }) => name)
    }
    // After the sign-out in the other tab, `device` is the only remaining cookie.
    expect(await refused(`device=${deviceUniqueId}`)).not.toContain('device')
    const again = await scene.signedIn(account.email)
    await scene.service.call(casAddDevice, { deviceUniqueId }, again)
    expect((await scene.service.call(casAvailableDevice, {}, again)).result).toHaveLength(1)
    // A browser whose sign-in cannot be renewed loses all cookies of the sign-in.
    await scene.service.context.db.update(accounts).set({ status: 'BANNED' }).where(sql`id = ${account.id}`)
    expect(await refused(`device=${deviceUniqueId}; ondine_device=${deviceAuthToken}`)).toContain('device')
    expect(await refused(`device=${deviceUniqueId}; ondine_account=forged`)).toContain('device')
  })

  it.each(['both tokens', 'only the token of the device'])(
    'A7.1-12 a renewal at another storefront of the host, with %s, keeps the sign-in and its device',
    async (sent) => {
      const { storefronts } = scene.service.context
      const here = storefronts.first().apiKey
      const elsewhere = `elsewhere-${sent.length}`
      await storefronts.create({ apiKey: elsewhere, name: 'Ailleurs' })
      const tokens = await scene.signedIn(scene.actor.account.email)
      const deviceUniqueId = 'browser-of-two-storefronts'
      const { deviceAuthToken } = (await scene.service.call(casAddDevice, { deviceUniqueId }, tokens)).result
      const ofDevice = `device=${deviceUniqueId}; ondine_device=${deviceAuthToken}`
      const cookie =
        sent === 'both tokens' ? `ondine_account=${tokens['x-auth-token']}; ${ofDevice}` : ofDevice
      const renew = async (key: string) =>
        await scene.service.app.inject({
          method: loginDevice.method,
          url: loginDevice.path,
          headers: { 'x-identity-key': key, cookie },
        })
      const refused = await renew(elsewhere)
      expect([refused.statusCode, refused.cookies]).toEqual([401, []])
      expect((await scene.service.call(casAvailableDevice, {}, tokens)).result).toHaveLength(1)
      expect((await renew(here)).statusCode).toBe(200)
    },
  )

  it('A4.3-07 A7.1-11 signing out clears all token cookies', async () => {
    const answer = await scene.service.app.inject({ method: 'POST', url: logout.path })
    expect(answer.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['ondine_account', ''],
      ['ondine_profile', ''],
      ['ondine_device', ''],
    ])
  })
})
