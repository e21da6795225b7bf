import { anonymizeMe, updatePassword } from '@ondine/contract/account-calls'
import { logout, session } from '@ondine/contract/accounts'
import { casAvailableDevice, casRemoveDevice } from '@ondine/contract/devices'
import { addMaterialByPairing, pairingDevice, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { shownCode } from '@ondine/contract/pairing-code'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, type Tokens } from '../../../../test/service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { comeIn, pairingOf } from './pairing.service.ts'

const TELEVISION = {
  'user-agent': 'Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 Chrome/120.0 TV Safari/537.36',
}

const CHANGE = {
  currentPassword: 'Ondine-2026!',
  password: 'Ondine-2027!',
  passwordConfirm: 'Ondine-2027!',
}

describe.each(MAIN_DB)('pairing a television, on a database of kind %s', (kind) => {
  const scene = testScene(kind)

  const start = async () => (await scene.service.call(startPairing, {}, TELEVISION)).result
  const status = async (secret: string) => await scene.service.call(pairingStatus, { secret }, TELEVISION)
  /** Returns the tokens of a paired television. */
  const tokensOf = async (secret: string): Promise<Tokens> => {
    const { result } = await status(secret)
    if (result.state !== 'paired') throw new Error(result.state)
    return {
      'x-auth-token': result.authToken,
      'x-profile-token': result.profileToken,
      'x-device-token': result.deviceAuthToken,
    }
  }
  const enter = async (code: string, who = scene.actor) =>
    await scene.service.call(addMaterialByPairing, { code }, who.tokens)

  it('A7.1-22 A4.7-02 the entered code signs the television in, once', async () => {
    const { code, secret, expiresInSeconds } = await start()
    expect([code, expiresInSeconds]).toEqual([expect.stringMatching(/^[2-9A-DFGHJKMNP-Z]{6}$/), 600])
    expect((await status(secret)).result).toEqual({ state: 'waiting' })
    const shown = await scene.service.call(pairingDevice, { code }, scene.actor.tokens)
    expect(shown.result).toMatchObject({ name: 'Chrome 120, TV' })
    expect((await enter(code)).result).toBeNull()
    const tokens = await tokensOf(secret)
    const who = (await scene.service.call(session, {}, tokens)).result
    expect([who.account?.id, who.profile?.id]).toEqual([scene.actor.account.id, scene.actor.profileId])
    expect((await scene.service.call(casAvailableDevice, {}, tokens)).result).toMatchObject([
      { name: 'Chrome 120, TV', type: 'device_tv', current: true },
    ])
    // A code works only once.
    expect((await enter(code)).result).toMatchObject({ code: -1613 })
  })

  it('A4.4-01 the television’s page continues after its token has ended', async () => {
    const { code, secret } = await start()
    await enter(code)
    const paired = await scene.service.app.inject({
      method: 'POST',
      url: pairingStatus.path,
      headers: { ...TELEVISION, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ secret }).toString(),
    })
    const kept = paired.cookies.filter(({ maxAge = 0 }) => maxAge > 25 * 3600)
    const cookie = kept.map(({ name, value }) => `${name}=${value}`).join('; ')
    scene.service.clock.advance(25 * 3600_000)
    const key = scene.service.context.storefronts.first().apiKey
    const page = (await scene.service.call(session, {}, { cookie, 'x-identity-key': key })).result
    expect([page.account?.id, page.profile?.id]).toEqual([scene.actor.account.id, scene.actor.profileId])
  })

  it('A5-29 accepts a code as people write it', async () => {
    const { code } = await start()
    expect((await enter(` ${shownCode(code).toLowerCase()} `)).result).toBeNull()
    expect((await enter('   ')).status).toBe(400)
    expect((await enter('x'.repeat(41))).status).toBe(400)
  })

  it('a code expires after ten minutes, for both sides', async () => {
    const { code, secret } = await start()
    scene.service.clock.advance(600_001)
    expect((await status(secret)).result).toEqual({ state: 'expired' })
    expect((await enter(code)).result).toMatchObject({ code: -1613 })
  })

  it('of two accounts that enter a code at once, one pairs', async () => {
    const { code, secret } = await start()
    const other = await scene.make.actor()
    const answers = await Promise.all([enter(code), enter(code, other)])
    expect(answers.filter(({ result }) => result === null)).toHaveLength(1)
    const states = await Promise.all([status(secret), status(secret)])
    expect(states.map(({ result }) => result.state)).toEqual(['paired', 'paired'])
    const paired = answers[0]?.result === null ? scene.actor : other
    expect((await scene.service.call(casAvailableDevice, {}, paired.tokens)).result).toHaveLength(1)
  })

  it('a television whose answer was lost can ask again for a minute, and remains one device', async () => {
    const { code, secret } = await start()
    await enter(code)
    const lost = (await status(secret)).result
    scene.service.clock.advance(59_000)
    const { result } = await status(secret)
    if (lost.state !== 'paired' || result.state !== 'paired') throw new Error(result.state)
    const tokens = { 'x-auth-token': result.authToken, 'x-device-token': result.deviceAuthToken }
    expect((await scene.service.call(session, {}, tokens)).result.account?.id).toBe(scene.actor.account.id)
    const devices = await scene.service.call(casAvailableDevice, {}, tokens)
    expect(devices.result).toMatchObject([{ name: 'Chrome 120, TV', current: true }])
    // The minute for repeated requests starts with the first answer.
    scene.service.clock.advance(1001)
    expect((await status(secret)).result).toEqual({ state: 'expired' })
    expect((await enter(code)).result).toMatchObject({ code: -1613 })
  })

  it('with too many devices it can still ask again as the same device', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumDevices': 1 })
    const { code, secret } = await start()
    await enter(code)
    const states = [(await status(secret)).result.state, (await status(secret)).result.state]
    await configuration.undo()
    expect(states).toEqual(['paired', 'paired'])
  })

  it('the answer for one television is refused to every other device', async () => {
    const { code, secret } = await start()
    await enter(code)
    const key = scene.service.context.storefronts.first().apiKey
    const as = async (headers: Tokens) =>
      (
        await scene.service.call(
          pairingStatus,
          { secret },
          { ...TELEVISION, 'x-identity-key': key, ...headers },
        )
      ).result.state
    expect(await as({})).toBe('paired')
    expect(await as({ cookie: 'device=another-browser' })).toBe('expired')
    expect(await as({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' })).toBe('expired')
    expect(await as({})).toBe('paired')
    expect((await scene.service.call(casAvailableDevice, {}, scene.actor.tokens)).result).toHaveLength(1)
  })

  it('of two devices that ask at once with one secret, one is registered and the other leaves nothing', async () => {
    const key = scene.service.context.storefronts.first().apiKey
    const { code, secret } = await start()
    await enter(code)
    const states = await Promise.all(
      ['one-television', 'two-television', 'third-television'].map(async (device) => {
        const headers = { ...TELEVISION, 'x-identity-key': key, cookie: `device=${device}` }
        return (await scene.service.call(pairingStatus, { secret }, headers)).result.state
      }),
    )
    expect(states.toSorted()).toEqual(['expired', 'expired', 'paired'])
    expect((await scene.service.call(casAvailableDevice, {}, scene.actor.tokens)).result).toHaveLength(1)
  })

  it('rejects the second television, also if both requests found that none was registered yet', async () => {
    const { code, secret } = await start()
    await enter(code)
    const { db } = scene.service.context
    const now = scene.service.clock.now()
    const found = await pairingOf(db, scene.actor.account.storefrontId, secret, now)
    if (typeof found === 'string') throw new Error(found)
    const comeInAs = async (uniqueId: string) =>
      await comeIn(
        db,
        found,
        { uniqueId, userAgent: TELEVISION['user-agent'] },
        { id: scene.actor.account.id, since: now / 1000 },
        0,
        now,
      )
    expect([await comeInAs('one-television'), await comeInAs('two-television')]).toEqual([
      expect.anything(),
      undefined,
    ])
    expect((await scene.service.call(casAvailableDevice, {}, scene.actor.tokens)).result).toHaveLength(1)
  })

  const TAKEN_BACK: [string, (television: Tokens) => Promise<unknown>][] = [
    [
      'the removal of the device',
      async () => {
        const [device] = (await scene.service.call(casAvailableDevice, {}, scene.actor.tokens)).result
        await scene.service.call(casRemoveDevice, { casDeviceId: device?.casDeviceId }, scene.actor.tokens)
      },
    ],
    [
      'a change of the password',
      async () => await scene.service.call(updatePassword, CHANGE, scene.actor.tokens),
    ],
    ['its signing out', async (television) => await scene.service.call(logout, {}, television)],
    ['the end of the account', async () => await scene.service.call(anonymizeMe, {}, scene.actor.tokens)],
  ]
  it.each(TAKEN_BACK)('after %s the answer is not repeated', async (_what, takeBack) => {
    const { code, secret } = await start()
    await enter(code)
    await takeBack(await tokensOf(secret))
    expect((await status(secret)).result).toEqual({ state: 'expired' })
  })

  it('a television of an account that was closed meanwhile shows another code', async () => {
    const { code, secret } = await start()
    await enter(code)
    await scene.service.context.db
      .update(accounts)
      .set({ status: 'BANNED' })
      .where(eq(accounts.id, scene.actor.account.id))
    expect((await status(secret)).result).toEqual({ state: 'expired' })
  })

  it('after five wrong codes an account waits, whatever it enters', async () => {
    const { code } = await start()
    for (let index = 0; index < 5; index++)
      expect((await enter('ZZZZZZ')).result).toMatchObject({ code: -1613 })
    const refused = await enter(code)
    expect([refused.status, refused.error.code]).toEqual([429, -429])
    expect((await scene.service.call(pairingDevice, { code }, scene.actor.tokens)).status).toBe(429)
    expect((await enter(code, await scene.make.actor())).result).toBeNull()
  })

  it('a right code between wrong ones does not reset them', async () => {
    const { code } = await start()
    const seen = async () => await scene.service.call(pairingDevice, { code }, scene.actor.tokens)
    for (let index = 0; index < 4; index++) await enter('ZZZZZZ')
    for (let index = 0; index < 3; index++)
      expect((await seen()).result).toMatchObject({ name: 'Chrome 120, TV' })
    expect((await enter(code)).result).toBeNull()
    expect((await enter('ZZZZZZ')).result).toMatchObject({ code: -1613 })
    expect((await enter('ZZZZZZ')).status).toBe(429)
  })

  it('another storefront’s television is not found, and a visitor finds none', async () => {
    await scene.service.context.storefronts.create({ apiKey: `other-${kind}`, name: 'Autre' })
    const { result } = await scene.service.call(startPairing, {}, { 'x-identity-key': `other-${kind}` })
    expect((await enter(result.code)).result).toMatchObject({ code: -1613 })
    expect((await scene.service.call(addMaterialByPairing, { code: result.code })).status).toBe(401)
  })

  it('answers another storefront’s key as if the code had expired, and the television’s own storefront pairs', async () => {
    const apiKey = `elsewhere-${kind}`
    await scene.service.context.storefronts.create({ apiKey, name: 'Ailleurs' })
    const { code, secret } = await start()
    const elsewhere = async () =>
      (await scene.service.call(pairingStatus, { secret }, { ...TELEVISION, 'x-identity-key': apiKey }))
        .result
    expect(await elsewhere()).toEqual({ state: 'expired' })
    await enter(code)
    expect(await elsewhere()).toEqual({ state: 'expired' })
    expect((await status(secret)).result.state).toBe('paired')
  })

  it('treats a forged secret as expired', async () => {
    expect((await status('forged')).result).toEqual({ state: 'expired' })
    expect((await status('')).result).toEqual({ state: 'expired' })
    expect((await scene.service.call(pairingStatus, { secret: 'x'.repeat(101) })).status).toBe(400)
  })

  it('A7.1-22 a television can be paired in the very second in which the password was changed', async () => {
    const { newAuthToken } = (await scene.service.call(updatePassword, CHANGE, scene.actor.tokens)).result
    const { code, secret } = await start()
    const tokens = { ...scene.actor.tokens, 'x-auth-token': newAuthToken }
    expect((await scene.service.call(addMaterialByPairing, { code }, tokens)).result).toBeNull()
    expect((await status(secret)).result.state).toBe('paired')
  })

  it('with too many devices the television is told, and is paired when there is room', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumDevices': 1 })
    const [one, two] = [await start(), await start()]
    await enter(one.code)
    await enter(two.code)
    expect((await status(one.secret)).result.state).toBe('paired')
    const refused = await status(two.secret)
    expect([refused.status, refused.error.code]).toEqual([403, -411])
    await configuration.undo()
    expect((await status(two.secret)).result.state).toBe('paired')
  })
})
