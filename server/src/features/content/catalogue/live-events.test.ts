import { liveEvents } from '@ondine/contract/catalogue'
import { readAsset } from '@ondine/contract/playback'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'

const HOUR_MS = 3600_000
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

describe.each(MAIN_DB)('live events of an account, on a database of kind %s', (kind) => {
  let service: TestService
  let build: ReturnType<typeof buildersOf>
  let subscriber: Actor
  let child: Actor

  beforeAll(async () => {
    service = await startTestService(kind)
    build = buildersOf(service.context)
    subscriber = await build.actor({ packages: { sport: {} } })
    child = await build.actor({
      packages: { sport: {} },
      profile: { kid: true, maximumMoralityLevel: 2 },
    })
    const event = async (title: string, from: number, to: number, fields = {}) =>
      await build.asset(title, {
        startsAt: NOON + from * HOUR_MS,
        endsAt: NOON + to * HOUR_MS,
        inPackages: ['sport'],
        ...fields,
      })
    await event('Demain', 24, 26)
    await event('En cours', -1, 1)
    await event('Passé', -3, -1)
    await event('Combat', 2, 3, { moralityLevel: 5 })
    await event('Ailleurs', 1, 2, { inPackages: ['elsewhere'] })
    await build.asset('Un film', { inPackages: ['sport'] })
  })
  afterAll(async () => await service.remove())

  const titles = async ({ tokens }: Actor) =>
    (await service.call(liveEvents, {}, tokens)).result.map(({ title, live }) => [title, live])

  it('A2.1-16 are the events that have not ended, with the events on air first', async () => {
    expect(await titles(subscriber)).toEqual([
      ['En cours', true],
      ['Combat', false],
      ['Demain', false],
    ])
    expect(await titles(child)).toEqual([
      ['En cours', true],
      ['Demain', false],
    ])
    service.clock.advance(HOUR_MS)
    expect(await titles(child)).toEqual([['Demain', false]])
    service.clock.set(NOON)
  })

  it('A2.1-16 V4-44 of pay-per-view are listed for their buyer, and play from their start to their end', async () => {
    const buyer = await build.actor()
    const trackSet = buildTrackSet()
    const { id } = await build.asset('La régate', {
      trackSet,
      startsAt: NOON + HOUR_MS,
      endsAt: NOON + 2 * HOUR_MS,
      inPackages: ['elsewhere'],
    })
    await addGrant(service.context.db, {
      accountId: buyer.account.id,
      opens: { assetId: id },
      source: 'payPerView',
      sourceId: 'regatta',
      from: NOON,
      to: null,
    })
    await service.context.connection.changes.settled()
    const read = async () =>
      await service.call(readAsset, { idAsset: id, format: 'hls', ...LANGUAGES }, buyer.tokens)
    expect(await titles(buyer)).toEqual([['La régate', false]])
    expect((await read()).error.code).toBe(-1605)
    service.clock.advance(HOUR_MS)
    expect(await titles(buyer)).toEqual([['La régate', true]])
    const { result } = await read()
    const key = async () => {
      const url = `/play/${result.session}/key/${trackSet.encryption?.keyId}`
      return (await service.app.inject({ url })).statusCode
    }
    expect(await key()).toBe(200)
    service.clock.advance(HOUR_MS)
    expect(await titles(buyer)).toEqual([])
    expect((await read()).error.code).toBe(-1605)
    expect(await key()).toBe(403)
    service.clock.set(NOON)
  })

  it('of a package stay in it as films', async () => {
    const { id } = await build.asset('Le concert', {
      startsAt: NOON - 3 * HOUR_MS,
      endsAt: NOON - HOUR_MS,
      inPackages: ['sport'],
    })
    const { error } = await service.call(
      readAsset,
      { idAsset: id, format: 'hls', ...LANGUAGES },
      subscriber.tokens,
    )
    expect(error.code).toBe(0)
  })

  it('are empty for visitors and for an account without their package', async () => {
    expect((await service.call(liveEvents, {})).status).toBe(401)
    expect(await titles(await build.actor())).toEqual([])
  })
})
