import { aboveLevel, type Levelled } from '@ondine/contract/above-level'
import { contentData } from '@ondine/contract/catalogue'
import { epg, epgEvent } from '@ondine/contract/channels'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'

const NOWHERE = 2_147_483_647

describe.each(MAIN_DB)('titles above a child’s level, on a database of kind %s', (kind) => {
  let service: TestService
  let child: Actor
  let parent: Actor
  let limited: Actor
  let channel: number
  const strong = {} as Record<Levelled, number>
  const mild = {} as Record<Levelled, number>

  beforeAll(async () => {
    service = await startTestService(kind)
    const { context, clock } = service
    const { db } = context
    const build = buildersOf(context)
    parent = await build.actor()
    limited = await build.actor({ profile: { parentalControl: true, maximumMoralityLevel: 2 } })
    child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    strong.asset = (await build.asset('Ville basse', { moralityLevel: 5 })).id
    mild.asset = (await build.asset('Récif', { moralityLevel: 1 })).id
    strong.category = (await build.series('Front froid')).id
    await db.update(categories).set({ moralityLevel: 5 }).where(eq(categories.id, strong.category))
    mild.category = (await build.series('Encre')).id
    const rules = { kind: 'sequence', titles: ['Ville basse', 'Récif'] }
    channel = mild.channel = (await build.channel('Douce', rules)).id
    strong.channel = (await build.channel('Rude', rules, { moralityLevel: 5 })).id
    await extendSchedules(db, createTrackSetStore(db), clock.now(), new AbortController().signal)
    const guide = (await service.call(epg, { offset: 0, hours: 24 }, {})).result[`chan_${channel}`] ?? []
    strong.event = guide.find(({ title }) => title === 'Ville basse')?.id ?? 0
    mild.event = guide.find(({ title }) => title === 'Récif')?.id ?? 0
  })
  afterAll(async () => await service.remove())

  const ask = async ({ tokens }: Actor, contentType: Levelled, contentId: number) =>
    (await service.call(aboveLevel, { contentType, contentId }, tokens)).result

  it.each(['asset', 'category', 'channel', 'event'] as const)(
    'A6-05 tells a child that an object of kind %s is above its level, and nothing else about it',
    async (type) => {
      expect(await ask(child, type, strong[type])).toEqual({ above: true })
      expect(await ask(child, type, mild[type])).toEqual({ above: false })
      expect(await ask(child, type, NOWHERE)).toEqual({ above: false })
    },
  )

  it('A6-06 hides nothing from an adult’s profile, with a level or without one', async () => {
    for (const who of [parent, limited])
      for (const [type, id] of Object.entries(strong))
        expect(await ask(who, type as Levelled, id), type).toEqual({ above: false })
  })

  it('A6-05 answers a child as for an unknown object in every other call', async () => {
    const answers = async (of: Record<Levelled, number>) => [
      await service.call(contentData, { idAsset: of.asset }, child.tokens),
      await service.call(contentData, { idCategory: of.category }, child.tokens),
      await service.call(epgEvent, { idChannel: channel, idEvent: of.event }, child.tokens),
      await service.call(epgEvent, { idChannel: of.channel, idEvent: mild.event }, child.tokens),
    ]
    const nowhere = { asset: NOWHERE, category: NOWHERE, channel: NOWHERE, event: NOWHERE }
    const about = await answers(strong)
    expect(about.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const said = (found: typeof about) =>
      found.map(({ error: { code, message, details } }) => [code, message, details?.fields])
    expect(said(about)).toEqual(said(await answers(nowhere)))
  })

  it('A6-05 an object that has left the catalogue is above no level', async () => {
    const { db, connection } = service.context
    await db.update(assets).set({ availability: 'withdrawn' }).where(eq(assets.id, strong.asset))
    await connection.changes.settled()
    expect(await ask(child, 'asset', strong.asset)).toEqual({ above: false })
  })
})
