import { askResetPassword, loginDevice, resetPassword } from '@ondine/contract/account-calls'
import { accountDetails, oauthToken, session } from '@ondine/contract/accounts'
import { casAddDevice } from '@ondine/contract/devices'
import { addMaterialByPairing, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { emailsTo, tokenOf } from '../../../../test/emails.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { SETTLING_MS } from './keys.service.ts'
import { signingKeys } from './keys.table.ts'
import { rotateKeys } from './rotate-keys.ts'

const DAY_MS = 86_400_000
const FILM = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const

describe.each(MAIN_DB)('the keys that sign tokens, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor

  beforeAll(async () => {
    // `KEY_DAYS` prevents the scheduled job from creating a key during the tests.
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000, KEY_DAYS: 10_000 })
    service.start()
    make = buildersOf(service.context)
  })
  beforeEach(async () => {
    // Ensures that keys have different creation times.
    service.clock.advance(1000)
    actor = await make.actor()
  })
  afterAll(async () => await service.remove())

  const keyOf = (token = ''): string =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
  const who = async (tokens: Tokens) => (await service.call(accountDetails, {}, tokens)).result?.email
  async function rotate(): Promise<string> {
    const [, id = ''] = /key (\w+)\./.exec(await runCommand(service, 'keys rotate')) ?? []
    await service.context.connection.changes.settled()
    service.clock.advance(SETTLING_MS)
    await expect.poll(() => keyOf(service.context.keys.sign('account', {}, 1))).toBe(id)
    return id
  }

  it('A4.4-01 rotate without signing anybody out, and without ending playback', async () => {
    const film = await make.asset('La Houle', { moralityLevel: 4 })
    const call = async (tokens: Tokens, parentalProof?: string) =>
      await service.call(readAsset, { idAsset: film.id, ...FILM, parentalProof }, tokens)
    const { deviceAuthToken } = (
      await service.call(casAddDevice, { deviceUniqueId: 'browser-of-keys' }, actor.tokens)
    ).result
    await service.call(setAdultCode, { adultCode: '2580' }, actor.tokens)
    const proof = (await service.call(validateAdultCode, { parentalCode: '2580' }, actor.tokens)).result
    const television = (await service.call(startPairing, {}, {})).result
    await service.call(addMaterialByPairing, { code: television.code }, actor.tokens)
    const playing = (await call(actor.tokens, proof)).result
    await service.call(askResetPassword, { email: actor.account.email })
    const letter = (await emailsTo(service.context.settings.DATA_DIR, actor.account.email, 1)).at(-1)!

    const fresh = await rotate()

    expect(keyOf(actor.tokens['x-auth-token'])).not.toBe(fresh)
    expect(await who(actor.tokens)).toBe(actor.account.email)
    const page = (await service.call(session, {}, actor.tokens)).result
    expect([page.account?.id, page.profile?.id]).toEqual([actor.account.id, actor.profileId])
    const renewed = await service.call(loginDevice, {}, { 'x-device-token': deviceAuthToken })
    expect(keyOf(renewed.result.newAuthToken)).toBe(fresh)
    expect(await who({ 'x-auth-token': renewed.result.newAuthToken })).toBe(actor.account.email)
    expect((await call(actor.tokens, proof)).status).toBe(200)
    expect((await service.app.inject(playing.url)).statusCode).toBe(200)
    const beat = { session: playing.session, event: 'progress', position: 3 } as const
    expect((await service.call(heartbeat, beat)).status).toBe(200)
    expect((await service.call(pairingStatus, { secret: television.secret })).result.state).toBe('paired')
    const reset = { token: tokenOf(letter), password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' }
    expect((await service.call(resetPassword, reset)).status).toBe(200)
  })

  it('sign with a new key only once every process knows it', async () => {
    const before = keyOf(service.context.keys.sign('account', {}, 1))
    const id = await rotateKeys(service.context.db, service.clock.now())
    await service.context.keys.refresh()
    expect(keyOf(service.context.keys.sign('account', {}, 1))).toBe(before)
    service.clock.advance(SETTLING_MS)
    expect(keyOf(service.context.keys.sign('account', {}, 1))).toBe(id)
  })

  it('end the tokens of a revoked key at once, and no others', async () => {
    const film = await make.asset('Front froid')
    const { session: token, url } = (
      await service.call(readAsset, { idAsset: film.id, ...FILM }, actor.tokens)
    ).result
    expect((await service.app.inject(url)).statusCode).toBe(200)
    await rotate()
    const later = (
      await service.call(oauthToken, {
        username: actor.account.email,
        password: 'Ondine-2026!',
        grant_type: 'password',
      })
    ).result.access_token
    await runCommand(service, 'keys revoke', [keyOf(actor.tokens['x-auth-token'])])
    await service.context.connection.changes.settled()
    await expect.poll(async () => (await service.call(accountDetails, {}, actor.tokens)).status).toBe(401)
    expect((await service.app.inject(url)).statusCode).toBe(401)
    expect((await service.call(heartbeat, { session: token, event: 'progress' })).status).toBe(401)
    expect(await who({ 'x-auth-token': later })).toBe(actor.account.email)
  })

  it('stop accepting a revoked key soon even if the keys cannot be read at that moment', async () => {
    await rotate()
    const { db } = service.context
    // The notice of the deletion arrives while the table is missing, so the process cannot read the keys. No
    // further notice arrives when the table is restored.
    await db.transaction(async (tx) => {
      await tx.delete(signingKeys).where(eq(signingKeys.id, keyOf(actor.tokens['x-auth-token'])))
      await tx.execute(sql`alter table signing_keys rename to signing_keys_away`)
    })
    await service.context.connection.changes.settled()
    expect((await service.call(accountDetails, {}, actor.tokens)).status).toBe(200)
    await db.execute(sql`alter table signing_keys_away rename to signing_keys`)
    await expect
      .poll(async () => (await service.call(accountDetails, {}, actor.tokens)).status, { timeout: 20_000 })
      .toBe(401)
  })

  it('refuse a token that names no key, or one that did not sign it', async () => {
    const other = await rotate()
    const [head = '', claims = '', signature = ''] = (actor.tokens['x-auth-token'] ?? '').split('.')
    const headed = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    for (const [name, token] of Object.entries({
      'another key': [headed({ alg: 'HS256', typ: 'JWT', kid: other }), claims, signature].join('.'),
      'no key': [headed({ alg: 'HS256', typ: 'JWT' }), claims, signature].join('.'),
      'no algorithm': [headed({ alg: 'none', typ: 'JWT', kid: other }), claims, ''].join('.'),
      'other claims': [head, headed({ sub: '1', storefront: 1, exp: 4e9, aud: 'account' }), signature].join(
        '.',
      ),
    }))
      expect((await service.call(accountDetails, {}, { 'x-auth-token': token })).error.code, name).toBe(-1)
  })

  it('are deleted when the last token that they can have signed has expired; the last key stays', async () => {
    const first = keyOf(actor.tokens['x-auth-token'])
    const list = async () =>
      (await runCommand(service, 'keys list')).split('\n').map((line) => line.split(':')[0])
    await rotate()
    service.clock.advance(729 * DAY_MS)
    await rotate()
    expect(await list()).toContain(first)
    service.clock.advance(2 * DAY_MS)
    const last = await rotate()
    expect(await list()).not.toContain(first)
    expect(await rotateKeys(service.context.db, service.clock.now(), 90 * DAY_MS)).toBeUndefined()
    for (const id of await list()) if (id !== last) await runCommand(service, 'keys revoke', [id ?? ''])
    await expect(runCommand(service, 'keys revoke', [last])).rejects.toThrow('Rotate first')
    await expect(runCommand(service, 'keys revoke', ['nothing'])).rejects.toThrow('no key nothing')
  })
})
