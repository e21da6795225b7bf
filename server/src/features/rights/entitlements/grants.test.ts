import { contentData, hierarchy, listContent, liveEvents } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { channelStream, getVodLicense, readAsset, testAsset } from '@ondine/contract/playback'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { audienceOf, loadViewer } from './entitlements.service.ts'
import { addGrant, endGrants, type NewGrant } from './grants.service.ts'
import { tenureOf } from './owned.service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SLOT_SECONDS = 48 * 3600

describe.each(MAIN_DB)('rights outside of packages, on a database of kind %s', (kind) => {
  const scene = testScene(kind)
  let filmId: number
  let trackKid: string
  let channelId: number
  let count = 0

  beforeAll(async () => {
    const film = await scene.make.asset('La Houle', { inPackages: ['cinema'] })
    filmId = film.id
    trackKid = Buffer.from(film.trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')
    const rules = { kind: 'sequence', titles: ['La Houle'] }
    channelId = (await scene.make.channel('Rive', rules, { inPackages: ['channels'] })).id
  })

  const give = async ({ account }: Actor, right: Partial<NewGrant> = {}) => {
    const { db } = scene.service.context
    return await addGrant(db, {
      accountId: account.id,
      opens: { assetId: filmId },
      source: 'rental',
      sourceId: `order ${++count}`,
      from: NOON - DAY,
      to: NOON + 20 * DAY,
      slotSeconds: SLOT_SECONDS,
      ...right,
    })
  }
  const languages = { idAudioLang: 'fra', idSubtitleLang: 'non' }
  const { at } = scene
  const play = async ({ tokens }: Actor, idAsset = filmId) =>
    await scene.service.call(readAsset, { idAsset, ...languages, format: 'dash' }, tokens)
  const cardOf = async ({ tokens }: Actor, idAsset = filmId) => {
    const { result } = await scene.service.call(contentData, { idAsset }, tokens)
    if (result.content.type !== 'asset') throw new Error('The answer has no asset.')
    return result.content.payload
  }

  it('V3-18 plays a rented title only for the account that rented it', async () => {
    const other = await scene.make.actor()
    await give(scene.actor)
    expect((await play(scene.actor)).status).toBe(200)
    expect((await play(other)).error.code).toBe(-11)
    expect([
      (await cardOf(scene.actor)).isIncludedInUserOffers,
      (await cardOf(other)).isIncludedInUserOffers,
    ]).toEqual([true, false])
  })

  it('lasts its slot from the first play on; checking whether it plays does not start it', async () => {
    await give(scene.actor)
    const { tokens } = scene.actor
    await at(NOON + HOUR, async () => await scene.service.call(testAsset, { idAsset: filmId }, tokens))
    expect((await cardOf(scene.actor)).rental).toEqual({
      until: (NOON + 20 * DAY) / 1000,
      slotSeconds: SLOT_SECONDS,
    })
    const begun = NOON + 19 * DAY
    const end = begun + SLOT_SECONDS * 1000
    expect((await at(begun, async () => await play(scene.actor))).status).toBe(200)
    // A second play does not restart the rental. A started rental can end after the last day on which it could be
    // started.
    expect((await at(NOON + 20 * DAY + HOUR, async () => await play(scene.actor))).status).toBe(200)
    expect((await at(NOON + 20 * DAY + HOUR, async () => await cardOf(scene.actor))).rental).toEqual({
      until: end / 1000,
      slotSeconds: null,
    })
    expect((await at(end - 1, async () => await play(scene.actor))).status).toBe(200)
    expect((await at(end, async () => await play(scene.actor))).error.code).toBe(-11)
    expect((await at(end, async () => await cardOf(scene.actor))).rental).toBeNull()
  })

  it('starts with a licence request too', async () => {
    await give(scene.actor)
    const { tokens } = scene.actor
    await scene.service.call(getVodLicense, { idAsset: filmId, ...languages }, tokens)
    expect((await cardOf(scene.actor)).rental?.slotSeconds).toBeNull()
  })

  it('cannot be started after its last day', async () => {
    await give(scene.actor)
    expect((await at(NOON + 20 * DAY, async () => await play(scene.actor))).error.code).toBe(-11)
  })

  it('lets a viewer finish the film that is playing at its end, and lets nobody start then', async () => {
    await give(scene.actor)
    await play(scene.actor)
    const end = NOON + SLOT_SECONDS * 1000
    const { session } = (await at(end - 1000, async () => await play(scene.actor))).result
    const licenceAt = async (time: number) =>
      await at(time, async () => {
        const answer = await scene.service.app.inject({
          method: 'POST',
          url: `/play/${session}/licence`,
          payload: JSON.stringify({ kids: [trackKid] }),
        })
        return answer.statusCode
      })
    // The film lasts one minute, so a play session that starts just before `end` is allowed to finish the film.
    expect(await licenceAt(end + 59_000)).toBe(200)
    expect(await licenceAt(end + 60_000)).toBe(403)
    expect((await at(end, async () => await play(scene.actor))).error.code).toBe(-11)
  })

  it('ends at once when it is revoked, also during playback', async () => {
    const sourceId = `order ${++count}`
    await give(scene.actor, { sourceId })
    const { session } = (await play(scene.actor)).result
    const origins = { sourceIds: [sourceId], accountIds: [scene.actor.account.id] }
    await endGrants(scene.service.context.db, { source: 'rental', ...origins }, NOON)
    expect((await play(scene.actor)).error.code).toBe(-11)
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: `/play/${session}/licence`,
      payload: JSON.stringify({ kids: [trackKid] }),
    })
    expect(answer.statusCode).toBe(403)
  })

  it('gives nothing twice for one source, and keeps the history of two sources', async () => {
    const sourceId = `order ${++count}`
    expect(await give(scene.actor, { sourceId })).toEqual(expect.any(Number))
    expect(await give(scene.actor, { sourceId })).toBeUndefined()
    // The rental that ends on day 25 starts only when the first rental is over.
    expect(await give(scene.actor, { to: NOON + 25 * DAY })).toEqual(expect.any(Number))
    await play(scene.actor)
    const end = NOON + SLOT_SECONDS * 1000
    expect((await at(end, async () => await cardOf(scene.actor))).rental).toEqual({
      until: (NOON + 25 * DAY) / 1000,
      slotSeconds: SLOT_SECONDS,
    })
  })

  it('starts one rental if two viewers start to watch at the same moment', async () => {
    await give(scene.actor)
    await give(scene.actor, { to: NOON + 25 * DAY })
    const answers = await Promise.all([play(scene.actor), play(scene.actor), play(scene.actor)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const end = NOON + SLOT_SECONDS * 1000
    expect((await at(end, async () => await cardOf(scene.actor))).rental?.slotSeconds).toBe(SLOT_SECONDS)
  })

  it('opens a channel for a limited time', async () => {
    const { tokens } = scene.actor
    await give(scene.actor, {
      opens: { channelId },
      source: 'payPerView',
      to: NOON + DAY,
      slotSeconds: undefined,
    })
    const shown = async () =>
      (await scene.service.call(listChannels, {}, tokens)).result.find(
        ({ idChannel }) => idChannel === channelId,
      )
    const stream = async () =>
      (await scene.service.call(channelStream, { idChannel: channelId, format: 'dash' }, tokens)).error.code
    expect((await shown())?.isIncludedInUserOffers).toBe(true)
    expect(await stream()).not.toBe(-1721)
    await at(NOON + DAY, async () => {
      expect((await shown())?.isIncludedInUserOffers).toBe(false)
      expect(await stream()).toBe(-1721)
    })
  })

  it('shows a bought event among the account’s events', async () => {
    const event = await scene.make.asset('Finale', {
      inPackages: ['events'],
      startsAt: NOON,
      endsAt: NOON + HOUR,
    })
    const { tokens } = scene.actor
    const own = async () =>
      (await scene.service.call(liveEvents, {}, tokens)).result.map(({ idAsset }) => idAsset)
    expect(await own()).not.toContain(event.id)
    await give(scene.actor, { opens: { assetId: event.id }, source: 'payPerView' })
    expect(await own()).toContain(event.id)
  })

  it('shows rights in lists without a separate view of the catalogue', async () => {
    const { db } = scene.service.context
    const other = await scene.make.actor()
    await give(scene.actor)
    const viewerOf = async ({ account, profileId }: Actor) =>
      (
        await loadViewer(
          db,
          { account, profile: { id: profileId, kid: false, maximumMoralityLevel: 0 } },
          NOON,
        )
      ).viewer
    const [mine, theirs] = [await viewerOf(scene.actor), await viewerOf(other)]
    expect(tenureOf(mine.owned, { id: filmId, serieId: null, seasonId: null })).toBeDefined()
    expect(audienceOf(mine)).toBe(audienceOf(theirs))
    const listed = async ({ tokens }: Actor) => {
      const [category] = (await scene.service.call(hierarchy, {}, tokens)).result
      const input = category ? { id: category.idCatalog } : {}
      const { result } = await scene.service.call(listContent, input, tokens)
      return result.flatMap((item) =>
        item.type === 'asset' && item.payload.idAsset === filmId ? item.payload.isIncludedInUserOffers : [],
      )
    }
    expect([await listed(other), await listed(scene.actor), await listed(other)]).toEqual([
      [false],
      [true],
      [false],
    ])
  })

  it('has exactly one target', async () => {
    const { db } = scene.service.context
    const row = { accountId: scene.actor.account.id, source: 'gift' as const, from: NOON, to: null }
    const both = { assetId: filmId, channelId }
    await expect(addGrant(db, { ...row, sourceId: 'both', opens: both })).rejects.toThrow()
    const missing = { assetId: 999_999 }
    await expect(addGrant(db, { ...row, sourceId: 'missing', opens: missing })).rejects.toThrow()
  })
})
