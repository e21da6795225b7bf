import { updatePassword } from '@ondine/contract/account-calls'
import { session } from '@ondine/contract/accounts'
import { casAvailableDevice } from '@ondine/contract/devices'
import { addMaterialByPairing, pairingDevice, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { shownCode } from '@ondine/contract/pairing-code'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../test/builders.ts'
import { changeConfigurationOf } from '../../../test/configuration.ts'
import { DATABASES, startTestService, type TestService } from '../../../test/service.ts'

const TELEVISION = {
  'user-agent': 'Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 Chrome/120.0 TV Safari/537.36',
}

describe.each(DATABASES)('pairing a television, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
  })
  beforeEach(async () => {
    actor = await make.actor()
  })
  afterAll(async () => await service.remove())

  const start = async () => (await service.call(startPairing, {}, TELEVISION)).result
  const status = async (secret: string) => await service.call(pairingStatus, { secret }, TELEVISION)
  const enter = async (code: string, who = actor) =>
    await service.call(addMaterialByPairing, { code }, who.tokens)

  it('A7.1-22 A4.7-02 the entered code signs the television in, once', async () => {
    const { code, secret, expiresInSeconds } = await start()
    expect([code, expiresInSeconds]).toEqual([expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/), 600])
    expect((await status(secret)).result).toEqual({ state: 'waiting' })
    const shown = await service.call(pairingDevice, { code }, actor.tokens)
    expect(shown.result).toMatchObject({ name: 'Chrome 120, TV' })
    expect((await enter(code)).result).toBeNull()
    const { result } = await status(secret)
    if (result.state !== 'paired') throw new Error(result.state)
    const tokens = {
      'x-auth-token': result.authToken,
      'x-profile-token': result.profileToken,
      'x-device-token': result.deviceAuthToken,
    }
    const who = (await service.call(session, {}, tokens)).result
    expect([who.account?.id, who.profile?.id]).toEqual([actor.account.id, actor.profileId])
    expect((await service.call(casAvailableDevice, {}, tokens)).result).toMatchObject([
      { name: 'Chrome 120, TV', type: 'device_tv', current: true },
    ])
    // Neither the code nor the secret is good for anything any more.
    expect((await status(secret)).result).toEqual({ state: 'expired' })
    expect((await enter(code)).result).toMatchObject({ code: -1613 })
  })

  it('A4.4-01 the television’s page goes on after its token has ended', async () => {
    const { code, secret } = await start()
    await enter(code)
    const paired = await service.app.inject({
      method: 'POST',
      url: pairingStatus.path,
      headers: { ...TELEVISION, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ secret }).toString(),
    })
    const kept = paired.cookies.filter(({ maxAge = 0 }) => maxAge > 25 * 3600)
    const cookie = kept.map(({ name, value }) => `${name}=${value}`).join('; ')
    service.clock.advance(25 * 3600_000)
    const key = service.context.storefronts.first().apiKey
    const page = (await service.call(session, {}, { cookie, 'x-identity-key': key })).result
    expect([page.account?.id, page.profile?.id]).toEqual([actor.account.id, actor.profileId])
  })

  it('A5-29 takes a code as people write it', async () => {
    const { code } = await start()
    expect((await enter(` ${shownCode(code).toLowerCase()} `)).result).toBeNull()
    expect((await enter('   ')).status).toBe(400)
    expect((await enter('x'.repeat(41))).status).toBe(400)
  })

  it('a code ends after ten minutes, for both sides', async () => {
    const { code, secret } = await start()
    service.clock.advance(600_001)
    expect((await status(secret)).result).toEqual({ state: 'expired' })
    expect((await enter(code)).result).toMatchObject({ code: -1613 })
  })

  it('two who enter a code at once: one of them pairs', async () => {
    const { code, secret } = await start()
    const other = await make.actor()
    const answers = await Promise.all([enter(code), enter(code, other)])
    expect(answers.filter(({ result }) => result === null)).toHaveLength(1)
    const states = await Promise.all([status(secret), status(secret)])
    expect(states.map(({ result }) => result.state).toSorted()).toEqual(['expired', 'paired'])
  })

  it('after five wrong codes an account waits, whoever shows what', async () => {
    const { code } = await start()
    for (let index = 0; index < 5; index++)
      expect((await enter('ZZZZZZ')).result).toMatchObject({ code: -1613 })
    const refused = await enter(code)
    expect([refused.status, refused.error.code]).toEqual([429, -429])
    expect((await service.call(pairingDevice, { code }, actor.tokens)).status).toBe(429)
    expect((await enter(code, await make.actor())).result).toBeNull()
  })

  it('another storefront’s television is not there, and neither is any for a visitor', async () => {
    await service.context.storefronts.create({ apiKey: `other-${kind}`, name: 'Autre' })
    const { result } = await service.call(startPairing, {}, { 'x-identity-key': `other-${kind}` })
    expect((await enter(result.code)).result).toMatchObject({ code: -1613 })
    expect((await service.call(addMaterialByPairing, { code: result.code })).status).toBe(401)
  })

  it('a forged secret is an expired one', async () => {
    expect((await status('forged')).result).toEqual({ state: 'expired' })
    expect((await status('')).result).toEqual({ state: 'expired' })
    expect((await service.call(pairingStatus, { secret: 'x'.repeat(101) })).status).toBe(400)
  })

  it('A7.1-22 a television comes in in the very second in which the password was changed', async () => {
    const change = {
      currentPassword: 'Ondine-2026!',
      password: 'Ondine-2027!',
      passwordConfirm: 'Ondine-2027!',
    }
    const { newAuthToken } = (await service.call(updatePassword, change, actor.tokens)).result
    const { code, secret } = await start()
    const tokens = { ...actor.tokens, 'x-auth-token': newAuthToken }
    expect((await service.call(addMaterialByPairing, { code }, tokens)).result).toBeNull()
    expect((await status(secret)).result.state).toBe('paired')
  })

  it('with too many devices the television is told so, and comes in when there is room', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumDevices': 1 })
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
