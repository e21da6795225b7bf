import { layoutOfChannel } from '@ondine/media/layout'
import { eq, isNotNull } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import {
  COPY_PLACES,
  COPY_TIMEOUTS,
  copiesScene,
  HOUR,
  MINUTE,
  SECOND,
  shared,
} from '../../../../test/copies-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { addSet, endSet, setLayout } from '../../streams/live-inputs/live-sets.repository.ts'
import { sweepLiveSets } from '../../streams/live-inputs/sweep-live-sets.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'

vi.setConfig(COPY_TIMEOUTS)

describe.each(COPY_PLACES)(
  'copies of recordings, on a database of kind %s with media in a %s',
  (kind, store) => {
    const {
      scene,
      at,
      programme,
      record,
      recorded,
      recordedInPart,
      end,
      make,
      setsOf,
      filesOf,
      manifests,
      packets,
    } = copiesScene(kind, { store })

    it('A7.3 play the same as the media of the channel: manifests, positions, picture, each with its own files and key', async () => {
      at(NOON)
      const wanted = await programme()
      const child = await scene.make.actor({
        packages: { television: {} },
        profile: { kid: true, maximumMoralityLevel: 1 },
        tokenDays: 400,
      })
      const [id, theirs] = [await record(wanted), await record(wanted, child)]
      await end(wanted)
      const before = [await manifests(id), await manifests(theirs, child)]
      const film = await packets(id, 1)
      expect(before[0]?.shown.plain).not.toBe(before[1]?.shown.plain)
      expect(await make()).toBe(2)
      const after = [await manifests(id), await manifests(theirs, child)]
      expect(after.map(({ shown }) => shown)).toEqual(before.map(({ shown }) => shown))
      expect(await packets(id, 2)).toEqual(film)
      expect(await packets(theirs, 3, child)).toHaveLength(25 * 40)

      const ids = [...before, ...after].map((each) => each.ids)
      expect(shared(ids[0], ids[2])).toEqual([])
      expect(shared(ids[2], ids[3])).toEqual([])
      const sets = [...(await setsOf(id)), ...(await setsOf(theirs))]
      expect(new Set(sets.map(({ key }) => key?.toString('hex'))).size).toBe(6)
      // Each margin has exactly two segments of a neighbour.
      expect(sets.map(({ from, to }) => to - from)).toEqual([2, 10, 2, 2, 10, 2])
      for (const { document, from, to } of sets)
        expect(await filesOf(document)).toBe(document.renditions.length * (to - from + 1))
    })

    it('are made of the part before the viewer stopped', async () => {
      const { id } = await recordedInPart()
      const before = await manifests(id)
      await make()
      expect((await manifests(id)).shown).toEqual(before.shown)
      expect((await setsOf(id)).map(({ from, to }) => to - from)).toEqual([2, 5])
    })

    it('are made anew if the guide has lengthened the programme, and the viewer records the rest', async () => {
      const { wanted, id } = await recorded()
      expect(await make()).toBe(1)
      const { duration } = (await manifests(id)).shown
      const old = await setsOf(id)
      const endutc = wanted.endutc + 40
      await scene.service.context.db
        .update(programmes)
        .set({ endsAt: endutc * SECOND })
        .where(eq(programmes.id, wanted.id))
      expect(await record(wanted)).toBe(id)
      await end({ endutc })
      expect(await make()).toBe(1)
      expect((await manifests(id)).shown.duration).toBe(duration + 40)
      const sets = await setsOf(id)
      expect(sets.map(({ from, to }) => to - from)).toEqual([2, 10, 10, 2])
      const of = (rows: typeof sets) => rows.map((row) => row.id)
      expect(shared(of(old), of(sets))).toEqual([])
    })

    it('are made for a programme that is recorded after its end', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 8)
      await end(wanted, 10 * MINUTE)
      const id = await record(wanted)
      await end(wanted, 11 * MINUTE)
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
    })
  },
)

describe.each(MAIN_DB)('recordings that share one copy, on a database of kind %s', (kind) => {
  const { scene, db, at, recorded, make, setsOf, tend } = copiesScene(kind, { copies: 'shared' })

  it('have none of their own, and keep the media of the channel pinned', async () => {
    const { id } = await recorded()
    expect(await make()).toBe(0)
    at(scene.service.clock.now() + 13 * HOUR)
    await tend()
    expect(await setsOf(id)).toEqual([])
    expect(await db().$count(recordedProgrammes, isNotNull(recordedProgrammes.unpinnedAt))).toBe(0)
  })
})

describe.each(MAIN_DB)('copies of a live channel, on a database of kind %s', (kind) => {
  const { scene, at, record, end, make, setsOf, manifests, tend, get } = copiesScene(kind)
  /** Length of each TrackSet. */
  const LENGTH = 20 * SECOND

  it('have its gaps and slates, and stay when its media is swept', async () => {
    const { db, segments } = scene.service.context
    const inPackages = ['television']
    const channel = await scene.make.channel(
      'Phare',
      { kind: 'sequence', titles: ['x'] },
      { kind: 'live', rules: null, inPackages },
    )
    let growing: Parameters<typeof endSet>[1] | undefined
    for (let position = 0; position < 8; position++) {
      const document = buildTrackSet({ seconds: LENGTH / SECOND, encrypted: false, subtitles: ['fra'] })
      if (position === 0) await setLayout(db, channel.id, layoutOfChannel([document], 4), NOON)
      // No media arrives for 12 s before the fourth TrackSet.
      const startsAt = NOON - LENGTH + position * LENGTH + (position < 3 ? 0 : 12 * SECOND)
      const counts = { mediaSequence: position * 5, discontinuitySequence: position }
      const joint = position === 3 ? ('gap' as const) : ('break' as const)
      const row = { channelId: channel.id, position, startsAt, joint, isSlate: position === 0, ...counts }
      await db.transaction(async (tx) => await addSet(tx, row, document, Buffer.alloc(16)))
      const set = { channelId: channel.id, trackSetId: document.id, startsAt, endsAt: startsAt + LENGTH }
      // The last TrackSet of the interval still grows when the recording is settled.
      if (position !== 6) await db.transaction(async (tx) => await endSet(tx, set))
      else growing = set
      for (const { id: rendition, kind: what } of document.renditions)
        for (const name of what === 'text'
          ? [1, 2, 3, 4, 5].map((number) => `${number}.vtt`)
          : ['init.mp4', ...[1, 2, 3, 4, 5].map((number) => `${number}.m4s`)])
          await segments.write({ trackSet: document.id, rendition, name }, Buffer.from(`${position} ${name}`))
    }
    const [show] = await db
      .insert(programmes)
      .values({
        channelId: channel.id,
        universalId: 'live',
        startsAt: NOON,
        endsAt: NOON + 120 * SECOND,
        titles: { fra: 'Le Direct' },
        moralityLevel: 0,
      })
      .returning()
    at(NOON - MINUTE)
    const wanted = { id: show?.id ?? 0, id_channel: channel.id, endutc: NOON / SECOND + 120 }
    const id = await record(wanted)
    await end(wanted)
    const before = await manifests(id)
    expect(await make()).toBe(0)
    await db.transaction(async (tx) => {
      if (growing) await endSet(tx, growing)
    })
    expect(await make()).toBe(1)
    const { shown } = await manifests(id)
    expect(shown).toEqual(before.shown)
    const sets = await setsOf(id)
    expect(sets.map(({ from, to }) => [from, to])).toEqual([
      [3, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 4],
    ])
    expect((await get(`/media/${sets[3]?.id}/v720/2.m4s`)).body).toBe('3 2.m4s')
    // The text is the content of the channel's file, because subtitles are not encrypted.
    expect((await get(`/media/${sets[3]?.id}/t-fra-1/2.vtt`)).body).toBe('3 2.vtt')
    at(scene.service.clock.now() + 13 * HOUR)
    await tend()
    expect(await sweepLiveSets(scene.service.context, scene.service.clock.now())).toBe(7)
    expect((await manifests(id)).shown).toEqual(shown)
    expect((await get(`/media/${sets[3]?.id}/v720/2.m4s`)).body).toBe('3 2.m4s')
    expect((await get(`/media/${sets[3]?.sourceId}/v720/2.m4s`)).statusCode).toBe(404)
  })
})
