import { askLicenseFP, askLicenseWV, channelStream, readAsset, readTrailer } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { PATIENCE } from '../../../../test/waiting.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { createSession, type PlaybackContent } from '../../streams/play-sessions/play-sessions.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'

const MINUTE = 60_000

describe.each(MAIN_DB)('licences, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let film: Awaited<ReturnType<typeof make.asset>>
  let other: typeof film

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    film = await make.asset('La Houle', { inPackages: ['cinema'] })
    other = await make.asset('Encre', { inPackages: ['cinema'] })
  })
  afterAll(async () => await service.remove())

  type Film = typeof film
  const keyIdOf = ({ trackSet }: Film) => trackSet?.encryption?.keyId ?? ''
  const kidOf = (what: Film) => Buffer.from(keyIdOf(what), 'hex').toString('base64url')
  const subscriber = async () => await make.actor({ packages: { cinema: {}, channels: {} } })

  async function sessionOf(actor: Actor, what = film): Promise<string> {
    const input = { idAsset: what.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    return (await service.call(readAsset, input, actor.tokens)).result.session
  }

  async function ask(token: string, body: unknown, headers = {}) {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await service.app.inject({
      method: 'POST',
      url: `/play/${token}/licence`,
      payload,
      headers,
    })
    const json = answer.json<{ keys?: { kid: string; k: string }[]; error?: { code: number } }>()
    return { answer, status: answer.statusCode, code: json.error?.code ?? 0, keys: json.keys ?? [] }
  }

  const key = async (token: string, keyId: string) =>
    await service.app.inject({ url: `/play/${token}/key/${keyId}` })

  it('gives the key of the session’s title, in Clear Key format', async () => {
    const token = await sessionOf(await subscriber())
    const { answer } = await ask(token, { kids: [kidOf(film)], type: 'temporary' })
    expect(answer.json()).toEqual({
      keys: [{ kty: 'oct', kid: kidOf(film), k: film.key?.toString('base64url') }],
      type: 'temporary',
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    // Any content type of the request is accepted.
    for (const type of [
      'application/json',
      'text/plain',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
    ]) {
      expect((await ask(token, { kids: [kidOf(film)] }, { 'content-type': type })).keys).toHaveLength(1)
    }
  })

  it('gives an HLS identity key as 16 raw bytes', async () => {
    const answer = await key(await sessionOf(await subscriber()), keyIdOf(film))
    expect(answer.rawPayload).toEqual(film.key)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
    })
  })

  it('gives only the session’s own keys, also when several are requested', async () => {
    const token = await sessionOf(await subscriber())
    expect(await ask(token, { kids: [kidOf(other)] })).toMatchObject({ status: 403, code: -2370 })
    const mixed = await ask(token, { kids: [kidOf(other), kidOf(film)] })
    expect(mixed.keys.map(({ kid }) => kid)).toEqual([kidOf(film)])
    expect((await key(token, keyIdOf(other))).json().error.code).toBe(-2370)
    expect((await key(token, 'f'.repeat(32))).statusCode).toBe(403)
    for (const bad of ['', 'x', '%2e%2e', 'F'.repeat(32), 'f'.repeat(33)]) {
      expect((await key(token, bad)).statusCode).toBe(404)
    }
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"kids":'],
    ['a list', []],
    ['null', null],
    ['no key ids', {}],
    ['no key id', { kids: [] }],
    ['too many', { kids: Array(65).fill('A'.repeat(22)) }],
    ['numbers', { kids: [1] }],
    ['hexadecimal digits', { kids: ['f'.repeat(32)] }],
    ['base64 with its padding', { kids: [`${'A'.repeat(22)}==`] }],
    ['a licence to keep', { kids: ['A'.repeat(22)], type: 'persistent-license' }],
    ['a binary challenge', '\u0008\u0001\u0012'],
  ])('answers 400 to %s', async (_what, body) => {
    const { status, code } = await ask(await sessionOf(await subscriber()), body)
    expect([status, code]).toEqual([400, -400])
  })

  it('refuses an oversized request', async () => {
    const { status } = await ask(await sessionOf(await subscriber()), 'x'.repeat(20_000))
    expect(status).toBe(400)
  })

  it('refuses tokens that are forged, of another kind, or expired', async () => {
    const actor = await subscriber()
    const token = await sessionOf(actor)
    const [head, claims, tail] = token.split('.')
    const altered = Buffer.from(claims ?? '', 'base64url')
      .toString()
      .replace(`[${film.id},`, `[${other.id},`)
    for (const bad of [
      'x',
      `${head}.${Buffer.from(altered).toString('base64url')}.${tail}`,
      `${head}.${claims}.`,
      `${head}.${claims}.${tail}x`,
      actor.tokens['x-auth-token'] ?? '',
      actor.tokens['x-profile-token'] ?? '',
    ]) {
      expect(await ask(bad, { kids: [kidOf(film)] })).toMatchObject({ status: 401, code: -1 })
      expect((await key(bad, keyIdOf(film))).statusCode).toBe(401)
    }
    service.clock.advance(12 * 60 * MINUTE + 1000)
    expect(await ask(token, { kids: [kidOf(film)] })).toMatchObject({ status: 401, code: -1 })
    service.clock.set(NOON)
  })

  it('checks the viewer’s right again: suspended, ended, and deleted', async () => {
    const { db } = service.context
    const actor = await subscriber()
    const token = await sessionOf(actor)
    const request = { kids: [kidOf(film)] }
    await db.update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, actor.account.id))
    expect(await ask(token, request)).toMatchObject({ status: 403, code: -2409 })
    expect((await key(token, keyIdOf(film))).json().error.code).toBe(-2409)
    await db.update(accounts).set({ status: 'ACTIVE' }).where(eq(accounts.id, actor.account.id))
    await db.update(grants).set({ validTo: NOON }).where(eq(grants.accountId, actor.account.id))
    // A process learns of the end of a suspension by a notification.
    await vi.waitFor(
      async () => expect(await ask(token, request)).toMatchObject({ status: 403, code: -2370 }),
      PATIENCE,
    )
    await db.delete(grants).where(eq(grants.accountId, actor.account.id))
    await db.delete(accounts).where(eq(accounts.id, actor.account.id))
    expect(await ask(token, request)).toMatchObject({ status: 401, code: -1 })
  })

  it('gives no key to a trailer’s session', async () => {
    const trailer = await make.asset('T', { trailer: buildTrackSet({ encrypted: false }) })
    const { url } = (await service.call(readTrailer, { idMedia: trailer.trailerMediaId, format: 'dash' }))
      .result
    const token = url.split('/')[2] ?? ''
    expect(await ask(token, { kids: [kidOf(film)] })).toMatchObject({ status: 403, code: -2370 })
  })

  it('answers preflight requests of players of other origins', async () => {
    const token = await sessionOf(await subscriber())
    const answer = await service.app.inject({ method: 'OPTIONS', url: `/play/${token}/licence` })
    expect([answer.statusCode, answer.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, HEAD, POST',
    ])
  })

  describe('of a channel', () => {
    let programmes: Film[]
    let channelId: number

    beforeAll(async () => {
      programmes = []
      for (const [index, title] of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].entries()) {
        programmes.push(
          await make.asset(title, {
            trackSet: buildTrackSet({ seconds: 120 }),
            moralityLevel: title === 'Two' ? 4 : 0,
            sourceKey: `channel ${index}`,
          }),
        )
      }
      const rules = { kind: 'sequence', titles: ['One', 'Two', 'Three', 'Four', 'Five', 'Six'] }
      // The time-shift is only 1 s, so that earlier programmes leave the window.
      channelId = (await make.channel('Rive', rules, { inPackages: ['channels'], timeshiftSeconds: 1 })).id
      // The first programme began two minutes ago, so the programme called `Two` begins now.
      await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    })

    const everyKid = () => ({ kids: programmes.map(kidOf) })
    const titlesOf = (keys: { kid: string }[]) =>
      keys.map(({ kid }) => programmes.findIndex((film) => kidOf(film) === kid)).toSorted((a, b) => a - b)
    const stream = async (actor: Actor) =>
      (await service.call(channelStream, { idChannel: channelId, format: 'dash' }, actor.tokens)).result
        .session

    it('gives the keys of its window and of the next programme, and follows the clock', async () => {
      const actor = await subscriber()
      const token = await stream(actor)
      expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([0, 1, 2])
      // The window of a minute, and another minute for players that lag behind.
      service.clock.set(NOON + 4 * MINUTE - 1)
      expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([1, 2, 3])
      service.clock.set(NOON + 4 * MINUTE + 2000)
      expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([2, 3, 4])
      service.clock.set(NOON + 6 * MINUTE + 30_000)
      expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([3, 4, 5])
      service.clock.set(NOON)
    })

    it('V7-22 askLicenseWV and askLicenseFP return where the keys of the channel are', async () => {
      const { tokens } = await subscriber()
      for (const operation of [askLicenseWV, askLicenseFP]) {
        const { result } = await service.call(operation, { idChannel: channelId }, tokens)
        expect(result).toEqual({
          keySystem: 'org.w3.clearkey',
          licenceUrl: expect.stringMatching(/^\/play\/[^/]+\/licence$/),
        })
        const [, , token = ''] = result?.licenceUrl.split('/') ?? []
        expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([0, 1, 2])
      }
    })

    it('V7-22 askLicenseWV and askLicenseFP refuse an unknown channel, a visitor, an account without the package, and no id', async () => {
      const { tokens } = await subscriber()
      const stranger = await make.actor()
      for (const operation of [askLicenseWV, askLicenseFP]) {
        const codeOf = async (idChannel: number, by = {}) =>
          (await service.call(operation, { idChannel }, by)).error.code
        expect(await codeOf(999_999, tokens)).toBe(-10)
        expect(await codeOf(channelId)).toBe(-1)
        expect(await codeOf(channelId, stranger.tokens)).toBe(-1721)
        const { statusCode } = await service.app.inject({
          method: 'POST',
          url: operation.path,
          headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
          payload: 'idChannel=Rive',
        })
        expect(statusCode).toBe(400)
      }
    })

    it('gives the keys of a start-over from the programme’s beginning on, and those of a recording for its programme only', async () => {
      const actor = await subscriber()
      const token = (window: Extract<PlaybackContent, { kind: 'channel' }>['window']) =>
        createSession(service.context.keys, {
          viewer: { accountId: actor.account.id, profileId: actor.profileId },
          content: { kind: 'channel', channelId, window },
        })
      const [from, to] = [NOON, NOON + 2 * MINUTE]
      service.clock.set(NOON + MINUTE)
      const startOver = await ask(token({ kind: 'start-over', from, to: to + 4 * MINUTE }), everyKid())
      expect(titlesOf(startOver.keys)).toEqual([1, 2])
      service.clock.set(NOON + 30 * MINUTE)
      expect(titlesOf((await ask(token({ kind: 'closed', from, to }), everyKid())).keys)).toEqual([1])
      service.clock.set(NOON)
    })

    it('gives a key for each key id of a manifest, also if a programme is clear', async () => {
      const titles = ['Clear', 'One']
      await make.asset('Clear', { trackSet: buildTrackSet({ seconds: 61, encrypted: false }) })
      const mixed = await make.channel('Mixed', { kind: 'sequence', titles }, { inPackages: ['channels'] })
      await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
      const { session, url } = (
        await service.call(
          channelStream,
          { idChannel: mixed.id, format: 'dash' },
          (
            await subscriber()
          ).tokens,
        )
      ).result
      service.clock.set(NOON + 4 * MINUTE)
      const manifest = (await service.app.inject({ url })).body
      const kids = [...manifest.matchAll(/cenc:default_KID="([^"]*)"/g)].map(([, id = '']) =>
        Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
      )
      const named = [...new Set(kids)].toSorted()
      expect(named).toHaveLength(2)
      const { keys } = await ask(session, { kids: named })
      expect(keys.map(({ kid }) => kid).toSorted()).toEqual(named)
      service.clock.set(NOON)
    })

    it('gives every key that a live manifest names, also while a programme is leaving the window', async () => {
      const lengths = { Odd: 61.3, Long: 63.7, Even: 64 }
      for (const [title, seconds] of Object.entries(lengths))
        await make.asset(title, { trackSet: buildTrackSet({ seconds }) })
      const rules = { kind: 'sequence', titles: Object.keys(lengths) }
      const options = { inPackages: ['channels'], timeshiftSeconds: 1 }
      const uneven = await make.channel('Uneven', rules, options)
      await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
      const input = { idChannel: uneven.id, format: 'dash' } as const
      const { session, url } = (await service.call(channelStream, input, (await subscriber()).tokens)).result
      let boundaries = 0
      for (let now = NOON + MINUTE; now < NOON + 5 * MINUTE; now += 500) {
        service.clock.set(now)
        const manifest = (await service.app.inject({ url })).body
        const ids = new Set(
          [...manifest.matchAll(/cenc:default_KID="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('-', '')),
        )
        for (const id of ids) expect((await key(session, id)).statusCode, String(now - NOON)).toBe(200)
        boundaries += ids.size - 1
      }
      expect(boundaries).toBeGreaterThan(0)
      service.clock.set(NOON)
    })

    it('gives a child no key of a programme above its level', async () => {
      const child = await make.actor({
        packages: { channels: {} },
        profile: { kid: true, maximumMoralityLevel: 2 },
      })
      const token = createSession(service.context.keys, {
        viewer: { accountId: child.account.id, profileId: child.profileId },
        content: { kind: 'channel', channelId, window: { kind: 'live' } },
      })
      expect(titlesOf((await ask(token, everyKid())).keys)).toEqual([0, 2])
    })

    it('V7-23 lets a child in right after a programme above its level, with the next segment', async () => {
      const child = await make.actor({
        packages: { channels: {} },
        profile: { kid: true, maximumMoralityLevel: 2 },
      })
      // The programme called `Two` ended a second ago.
      service.clock.set(NOON + 2 * MINUTE + 1000)
      const input = { idChannel: channelId, format: 'dash' } as const
      const { session, url } = (await service.call(channelStream, input, child.tokens)).result
      let isAnswered = false
      const answer = service.app.inject({ url }).then((given) => {
        isAnswered = true
        return given
      })
      // Another manifest of the service is answered meanwhile.
      await service.app.inject({
        url: (await service.call(channelStream, input, (await subscriber()).tokens)).result.url,
      })
      expect(isAnswered).toBe(false)
      service.clock.set(NOON + 2 * MINUTE + 4000)
      const { statusCode, body } = await answer
      expect(statusCode).toBe(200)
      const ids = [...body.matchAll(/cenc:default_KID="([^"]*)"/g)].map(([, id = '']) =>
        id.replaceAll('-', ''),
      )
      expect(new Set(ids)).toEqual(new Set([keyIdOf(programmes[2] as Film)]))
      expect((await key(session, ids[0] ?? '')).statusCode).toBe(200)
      service.clock.set(NOON)
    })

    it('gives no key without the channel’s package', async () => {
      const actor = await subscriber()
      const token = await stream(actor)
      await service.context.db.delete(grants).where(eq(grants.accountId, actor.account.id))
      expect(await ask(token, everyKid())).toMatchObject({ status: 403, code: -2370 })
    })
  })
})
