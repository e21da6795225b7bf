import { epgEvent } from '@ondine/contract/channels'
import { channelStream } from '@ondine/contract/playback'
import { createRecording, playRecording } from '@ondine/contract/recordings'
import { layoutOfChannel } from '@ondine/media/layout'
import { NO_TEXT } from '@ondine/media/span-segments'
import type { TrackSet } from '@ondine/media/track-set'
import { closedWindow } from '@ondine/media/window'
import { eq, inArray } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { pinMedia } from '../../../../test/pinned-media.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { createChannelAir } from '../on-air/on-air.service.ts'
import { findInputs, removeInput } from './live-inputs.repository.ts'
import { addSet, endSet, setLayout, updateSet } from './live-sets.repository.ts'
import { sweepLiveSets } from './sweep-live-sets.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const SEGMENT = 4 * SECOND

function airOf({ db, connection }: TestService['context']) {
  return createChannelAir(db, createTrackSetStore(db), connection.changes)
}

/** The tests write the TrackSets of these live channels, so that they control the time. */
describe.each(MAIN_DB)('live channels, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let viewer: Actor
  let count = 0

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    viewer = await make.actor()
  })
  afterAll(async () => await service.remove())

  async function liveChannel(): Promise<number> {
    const rules = { kind: 'sequence', titles: ['nothing'] }
    const fields = { kind: 'live' as const, free: true, timeshiftSeconds: 1800 }
    return (await make.channel(`Live ${++count}`, rules, fields)).id
  }

  /** Returns a growing TrackSet, with the first `segments` segments of `whole`. */
  function grown(whole: TrackSet, segments: number): TrackSet {
    const shorter = buildTrackSet({ seconds: segments * 4, subtitles: [] })
    const renditions = shorter.renditions.map((rendition) => ({
      ...rendition,
      startTicks: 10 * rendition.timescale,
    }))
    return { ...shorter, id: whole.id, encryption: whole.encryption, renditions }
  }

  /** Adds consecutive TrackSets to a channel. The last one grows. @returns the TrackSets with their start times */
  async function broadcast(channelId: number, startsAt: number, segments: readonly number[]) {
    const { db } = service.context
    const sets: { document: TrackSet; startsAt: number; key: Buffer }[] = []
    let [begin, mediaSequence] = [startsAt, 0]
    for (const [position, length] of segments.entries()) {
      const document = grown(buildTrackSet(), length)
      if (position === 0) await setLayout(db, channelId, layoutOfChannel([document], 4), startsAt)
      const key = Buffer.alloc(16, position + 1)
      const joint = position === 0 ? 'break' : 'continuous'
      const set = {
        channelId,
        position,
        startsAt: begin,
        joint,
        mediaSequence,
        discontinuitySequence: 0,
      } as const
      await db.transaction(async (tx) => await addSet(tx, set, document, key))
      sets.push({ document, startsAt: begin, key })
      begin += length * SEGMENT
      mediaSequence += length
      const endsAt = begin
      if (position < segments.length - 1)
        await db.transaction(
          async (tx) =>
            await endSet(tx, { channelId, trackSetId: document.id, startsAt: set.startsAt, endsAt }),
        )
    }
    return sets
  }

  const watch = async (idChannel: number, who = viewer, start?: number) =>
    await service.call(
      channelStream,
      { idChannel, format: 'hls', ...(start !== undefined && { start }) },
      who.tokens,
    )

  async function playlist(url: string): Promise<types.MediaPlaylist> {
    const [base = ''] = url.split('main.m3u8')
    const master = hls.parse((await service.app.inject({ url })).body) as types.MasterPlaylist
    const { body, statusCode } = await service.app.inject({ url: `${base}${master.variants[0]?.uri}` })
    expect(statusCode).toBe(200)
    return hls.parse(body) as types.MediaPlaylist
  }

  const keyOf = async (session: string, { encryption }: TrackSet) =>
    await service.app.inject({ url: `/play/${session}/key/${encryption?.keyId}` })

  it('lists each segment as soon as it is stored, and never one that is not', async () => {
    const idChannel = await liveChannel()
    const [set] = await broadcast(idChannel, NOON - 20 * SECOND, [5])
    service.clock.set(NOON)
    const { url } = (await watch(idChannel)).result
    expect((await playlist(url)).segments).toHaveLength(5)
    // The sixth segment is due, but does not arrive.
    service.clock.advance(2 * SEGMENT)
    expect((await playlist(url)).segments).toHaveLength(5)
    await updateSet(service.context.db, grown(set?.document as TrackSet, 6))
    service.clock.advance(SECOND)
    const { segments, mediaSequenceBase } = await playlist(url)
    expect([segments.length, mediaSequenceBase]).toEqual([6, 0])
  })

  it('reads a TrackSet that grows once for the subtitles of all viewers, and again for a later segment', async () => {
    const { db } = service.context
    const [set] = await broadcast(await liveChannel(), NOON - 10 * MINUTE, [30])
    const document = set?.document ?? grown(buildTrackSet(), 1)
    const statusOf = async (number: number) =>
      (await service.app.inject({ url: `/media/${document.id}/${NO_TEXT}/${number}.m4s` })).statusCode
    const selected = vi.spyOn(db, 'select')
    for (const number of [1, 2, 30, 30]) expect(await statusOf(number)).toBe(200)
    expect(selected).toHaveBeenCalledTimes(1)
    expect(await statusOf(31)).toBe(404)
    await updateSet(db, grown(document, 31))
    expect(await statusOf(31)).toBe(200)
    selected.mockRestore()
  })

  it('shows a segment that is longer than all before it, once the layout allows it', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    const [set] = await broadcast(idChannel, NOON - 20 * SECOND, [5])
    service.clock.set(NOON)
    const { url } = (await watch(idChannel)).result
    expect(await playlist(url)).toMatchObject({ targetDuration: 4 })
    const longer = grown(set?.document as TrackSet, 5)
    for (const { segments, timescale } of longer.renditions) segments.push([6 * timescale, 1])
    await setLayout(db, idChannel, layoutOfChannel([longer]), NOON)
    await updateSet(db, longer)
    service.clock.advance(7 * SECOND)
    const { segments, targetDuration } = await playlist(url)
    expect([segments.length, targetDuration]).toEqual([6, 6])
  })

  it('V3-22 V4-24 plays from an earlier time, across TrackSets, without a discontinuity', async () => {
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const sets = await broadcast(idChannel, begin, [75, 75])
    service.clock.set(NOON)
    const { status, result } = await watch(idChannel, viewer, begin / SECOND + 60)
    expect(status).toBe(200)
    const { segments } = await playlist(result.url)
    expect(segments).toHaveLength(150)
    expect(segments.filter(({ discontinuity }) => discontinuity)).toEqual([])
    for (const { document, key } of sets)
      expect((await keyOf(result.session, document)).rawPayload).toEqual(key)
    // There is no media from before the first signal of the input.
    expect((await watch(idChannel, viewer, begin / SECOND - 60)).status).toBe(404)
  })

  it('is silent once nothing came for a while, and before anything came', async () => {
    const idChannel = await liveChannel()
    service.clock.set(NOON)
    expect((await watch(idChannel)).error.code).toBe(-504)
    await broadcast(idChannel, NOON - 20 * SECOND, [5])
    service.clock.advance(5 * SECOND)
    expect((await watch(idChannel)).status).toBe(200)
    service.clock.advance(MINUTE)
    expect((await watch(idChannel)).error.code).toBe(-504)
  })

  it('keeps a programme from viewers whom its rating bars, also in the time-shift and in licences', async () => {
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const middle = NOON - 5 * MINUTE
    const sets = await broadcast(idChannel, begin, [75, 75])
    await service.context.db.insert(programmes).values([
      {
        channelId: idChannel,
        universalId: 'late',
        startsAt: begin,
        endsAt: middle,
        titles: { fra: 'Nuit' },
        moralityLevel: 5,
      },
      {
        channelId: idChannel,
        universalId: 'day',
        startsAt: middle,
        endsAt: NOON + 10 * MINUTE,
        titles: { fra: 'Jour' },
        moralityLevel: 0,
      },
    ])
    service.clock.set(NOON)
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 1 } })
    const { result, error } = await watch(idChannel, child)
    expect(error.code).toBe(0)
    const { segments } = await playlist(result.url)
    const [barred, allowed] = sets.map(({ document }) => document) as [TrackSet, TrackSet]
    expect(segments.filter(({ uri }) => uri.includes(barred.id))).toEqual([])
    expect((await keyOf(result.session, barred)).statusCode).toBe(403)
    expect((await keyOf(result.session, allowed)).statusCode).toBe(200)
    expect((await watch(idChannel, child, begin / SECOND + 30)).status).toBe(404)
    service.clock.set(NOON - 6 * MINUTE)
    expect((await watch(idChannel, child)).status).toBe(404)
  })

  it('keeps media that a recording pins, and shows it, after its neighbours were removed', async () => {
    const { context } = service
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const sets = await broadcast(idChannel, begin, [30, 30, 30, 60])
    const pinned = { from: begin + 130 * SECOND, to: begin + 230 * SECOND }
    await pinMedia(context.db, idChannel, pinned)
    const now = NOON + 26 * 3600 * SECOND
    service.clock.set(now)
    await sweepLiveSets(context, now)
    const kept = await context.db
      .select({ id: liveSets.trackSetId })
      .from(liveSets)
      .where(eq(liveSets.channelId, idChannel))
    // The newest TrackSet remains, because the next TrackSet continues its sequence numbers.
    expect(kept).toEqual([{ id: sets[1]?.document.id }, { id: sets[3]?.document.id }])
    const air = airOf(context)
    const onAir = await air.at(idChannel, { kind: 'closed', ...pinned }, now)
    const window = onAir && closedWindow(onAir.timeline, pinned.from, pinned.to)
    expect([window?.ended, window?.firstSegment, window?.endSegment]).toEqual([true, 2, 28])
    expect(await air.piecesIn(idChannel, begin, begin + 300 * SECOND)).toEqual([
      {
        from: begin + 120 * SECOND,
        to: begin + 240 * SECOND,
        rating: { moralityLevel: 0, adult: false },
        isJoined: false,
        isSlate: false,
        isRecordingForbidden: false,
        liveUntil: 0,
      },
    ])
  })

  it('keeps what was recorded of a relay when it is relayed again', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    await broadcast(idChannel, begin, [30, 30])
    const source = { address: 'https://tv.example/live.m3u8', manifest: 'hls', record: true } as const
    await db.update(channels).set({ source }).where(eq(channels.id, idChannel))
    await removeInput(db, idChannel)
    const [channel] = await db
      .select({ kind: channels.kind })
      .from(channels)
      .where(eq(channels.id, idChannel))
    expect(channel).toEqual({ kind: 'relay' })
    const air = airOf(service.context)
    const interval = { from: begin, to: begin + 60 * SECOND }
    expect(await air.piecesIn(idChannel, interval.from, interval.to)).toHaveLength(1)
    const onAir = await air.at(idChannel, { kind: 'closed', ...interval }, NOON)
    expect(onAir && closedWindow(onAir.timeline, interval.from, interval.to)?.endSegment).toBe(15)
  })

  it('rates media that a recording keeps as the guide did, after the guide has forgotten it', async () => {
    const { context } = service
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const [announced] = await context.db
      .insert(programmes)
      .values({
        channelId: idChannel,
        universalId: 'strong',
        startsAt: begin,
        endsAt: begin + 2 * MINUTE,
        titles: { fra: 'Nuit' },
        moralityLevel: 5,
      })
      .returning({ id: programmes.id })
    const sets = await broadcast(idChannel, begin, [30, 30, 30, 30])
    await context.db.delete(programmes).where(eq(programmes.id, announced?.id ?? 0))
    // This TrackSet ended before the service stored ratings.
    await context.db
      .update(liveSets)
      .set({ moralityLevel: null, adult: null })
      .where(eq(liveSets.trackSetId, sets[2]?.document.id ?? ''))
    const air = airOf(context)
    const pieces = await air.piecesIn(idChannel, begin, NOON)
    const clean = { moralityLevel: 0, adult: false }
    expect(pieces.map(({ rating }) => rating)).toEqual([
      { moralityLevel: 5, adult: false },
      clean,
      { moralityLevel: 6, adult: true },
      clean,
    ])
    const spans = await air.spansToLicense(
      idChannel,
      { kind: 'closed', from: begin, to: begin + 5 * MINUTE },
      NOON + MINUTE,
    )
    expect(spans.map(({ rating }) => rating.moralityLevel)).toEqual([5, 0, 6])
  })

  it('rates a segment across the border of two programmes as the one of its larger part', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const border = begin + 123 * SECOND
    await db.insert(programmes).values([
      {
        channelId: idChannel,
        universalId: 'clean',
        startsAt: begin,
        endsAt: border,
        titles: { fra: 'Jour' },
        moralityLevel: 0,
      },
      {
        channelId: idChannel,
        universalId: 'strong',
        startsAt: border,
        endsAt: NOON,
        titles: { fra: 'Nuit' },
        moralityLevel: 5,
      },
    ])
    // The second TrackSet is a single segment. A quarter of it belongs to the next programme.
    await broadcast(idChannel, begin, [30, 1, 30])
    const air = airOf(service.context)
    const levels = (await air.piecesIn(idChannel, begin, NOON)).map(({ rating }) => rating.moralityLevel)
    expect(levels).toEqual([0, 0, 5])
  })

  it('reads a start-over that is watched once, not again with each request', async () => {
    const idChannel = await liveChannel()
    await broadcast(idChannel, NOON - 10 * MINUTE, [75, 75])
    const air = airOf(service.context)
    const window = { kind: 'start-over', from: NOON - 9 * MINUTE, to: NOON + MINUTE } as const
    const first = await air.at(idChannel, window, NOON)
    expect(first?.entries).toHaveLength(2)
    // The same object proves that the database was not read.
    expect(await air.at(idChannel, window, NOON + 100)).toBe(first)
    expect(await air.at(idChannel, window, NOON + 5 * SECOND)).toBe(first)
  })

  it('reads the end of a past interval again until it has its media', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    const [set] = await broadcast(idChannel, NOON - 10 * MINUTE, [60])
    const window = { kind: 'closed', from: NOON - 9 * MINUTE, to: NOON - 5 * MINUTE } as const
    const air = airOf(service.context)
    expect((await air.at(idChannel, window, NOON - 4 * MINUTE))?.entries[0]?.segmentCount).toBe(60)
    await updateSet(db, grown(set?.document as TrackSet, 75))
    expect((await air.at(idChannel, window, NOON - 4 * MINUTE))?.entries[0]?.segmentCount).toBe(75)
  })

  it('ends a TrackSet that a killed process left, and keeps it while a recording pins it', async () => {
    const { context } = service
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    await broadcast(idChannel, begin, [30])
    // Another process begins a TrackSet after a gap, and never ends the first one.
    const position = { channelId: idChannel, position: 1, startsAt: NOON, joint: 'gap' } as const
    await context.db.transaction(async (tx) => {
      const counts = { mediaSequence: 30, discontinuitySequence: 1 }
      await addSet(tx, { ...position, ...counts }, grown(buildTrackSet(), 5), Buffer.alloc(16, 9))
    })
    const pinned = { from: begin + 10 * SECOND, to: begin + 20 * SECOND }
    const recorded = await pinMedia(context.db, idChannel, pinned)
    const now = NOON + 26 * 3600 * SECOND
    const ofChannel = async () =>
      await context.db
        .select({ position: liveSets.position, endsAt: liveSets.endsAt })
        .from(liveSets)
        .where(eq(liveSets.channelId, idChannel))
        .orderBy(liveSets.position)
    await sweepLiveSets(context, now)
    expect(await ofChannel()).toEqual([
      { position: 0, endsAt: begin + 120 * SECOND },
      { position: 1, endsAt: NOON + 20 * SECOND },
    ])
    await context.db.delete(recordedProgrammes).where(eq(recordedProgrammes.id, recorded))
    await sweepLiveSets(context, now)
    expect((await ofChannel()).map((each) => each.position)).toEqual([1])
  })

  it('says that a channel that is switched off receives nothing', async () => {
    const rules = { kind: 'sequence', titles: ['nothing'] }
    await make.channel('Éteinte', rules, { kind: 'live', number: 70, enabled: false })
    const text = 'its channel is switched off'
    expect(await runCommand(service, 'inputs add', ['70', 'udp://127.0.0.1:6070'])).toContain(text)
    expect(await runCommand(service, 'inputs status', ['70'])).toContain(text)
    expect(await runCommand(service, 'inputs list')).toContain(text)
    await runCommand(service, 'inputs remove', ['70'])
  })

  it('says after the removal of its input how many programmes that viewers record will miss parts', async () => {
    const { db } = service.context
    service.clock.set(NOON)
    const idChannel = await liveChannel()
    const number = String((await db.select().from(channels).where(eq(channels.id, idChannel)))[0]?.number)
    const remove = async () => {
      await runCommand(service, 'inputs add', [number, 'udp://127.0.0.1:6072'])
      return await runCommand(service, 'inputs remove', [number])
    }
    const removed = `Channel ${number} has no input any more.`
    const over = await pinMedia(db, idChannel, { from: NOON - 2 * MINUTE, to: NOON - MINUTE })
    expect(await remove()).toBe(removed)
    const open = await pinMedia(db, idChannel, { from: NOON - MINUTE, to: NOON + MINUTE })
    expect(await remove()).toBe(
      `${removed}\nRecorded programmes of this channel that are not over: 1. They will lack everything that is broadcast from now on. To add an input again: inputs add ${number} <address>`,
    )
    await db.delete(recordedProgrammes).where(inArray(recordedProgrammes.id, [over, open]))
  })

  it('receives a channel that is gone from its list until its recordings are over', async () => {
    const { db, clock } = service.context
    const idChannel = await liveChannel()
    const number = String((await db.select().from(channels).where(eq(channels.id, idChannel)))[0]?.number)
    await runCommand(service, 'inputs add', [number, 'udp://127.0.0.1:6071'])
    const isReceived = async () =>
      (await findInputs(db, clock.now())).some((row) => row.channelId === idChannel)
    service.clock.set(NOON)
    await db.update(channels).set({ goneSince: NOON }).where(eq(channels.id, idChannel))
    expect(await isReceived()).toBe(false)
    expect(await runCommand(service, 'inputs status', [number])).toContain('gone from its list')
    const id = await pinMedia(db, idChannel, { from: NOON - MINUTE, to: NOON + MINUTE })
    expect(await isReceived()).toBe(true)
    expect(await runCommand(service, 'inputs status', [number])).not.toContain('gone from its list')
    // The guide may be wrong about a programme that it has dropped. What it forbids is not recorded.
    const mark = async (set: { droppedAt?: number; withheldAt?: number | null }) =>
      await db.update(recordedProgrammes).set(set).where(eq(recordedProgrammes.id, id))
    await mark({ droppedAt: NOON })
    expect(await isReceived()).toBe(true)
    await mark({ withheldAt: NOON })
    expect(await isReceived()).toBe(false)
    await mark({ withheldAt: null })
    // The operator’s own switch counts more than the recording.
    await db.update(channels).set({ enabled: false }).where(eq(channels.id, idChannel))
    expect(await isReceived()).toBe(false)
    await db.update(channels).set({ enabled: true }).where(eq(channels.id, idChannel))
    service.clock.set(NOON + MINUTE)
    expect(await isReceived()).toBe(false)
    await db.delete(recordedProgrammes).where(eq(recordedProgrammes.id, id))
    await runCommand(service, 'inputs remove', [number])
  })

  it('leaves a removal to the process that has begun it', async () => {
    const { context } = service
    const idChannel = await liveChannel()
    await broadcast(idChannel, NOON - 10 * MINUTE, [30, 30])
    const now = NOON + 26 * 3600 * SECOND
    const revoked: string[] = []
    const segments = {
      ...context.segments,
      // Another process deletes the rows between the announcement and the transaction.
      announceRemoval: async () => void (await sweepLiveSets(context, now)),
      revokeRemoval: async (id: string) => void revoked.push(id),
    }
    expect(await sweepLiveSets({ ...context, segments }, now)).toBe(0)
    expect(revoked).toEqual([])
    const rows = await context.db.select().from(liveSets).where(eq(liveSets.channelId, idChannel))
    expect(rows.map(({ position }) => position)).toEqual([1])
  })

  it('removes the other media if that of one TrackSet cannot be removed, which is tried again', async () => {
    const { context } = service
    const [broken, other] = [await liveChannel(), await liveChannel()]
    const [first] = await broadcast(broken, NOON - 10 * MINUTE, [30, 30])
    await broadcast(other, NOON - 5 * MINUTE, [30, 30])
    const now = NOON + 26 * 3600 * SECOND
    const segments = {
      ...context.segments,
      announceRemoval: async (id: string) => {
        if (id === first?.document.id) throw new Error('the folder cannot be read')
        await context.segments.announceRemoval(id)
      },
    }
    const positions = async (idChannel: number) =>
      (await context.db.select().from(liveSets).where(eq(liveSets.channelId, idChannel))).map(
        ({ position }) => position,
      )
    await sweepLiveSets({ ...context, segments }, now)
    expect([await positions(broken), await positions(other)]).toEqual([[0, 1], [1]])
    await sweepLiveSets(context, now)
    expect(await positions(broken)).toEqual([1])
  })

  it('ends a sweep whose store does not answer, with one warning, and starts with other media the next time', async () => {
    const { context } = service
    const idChannel = await liveChannel()
    await broadcast(
      idChannel,
      NOON - 60 * MINUTE,
      Array.from({ length: 31 }, () => 30),
    )
    const now = NOON + 26 * 3600 * SECOND
    const tried = new Set<string>()
    let tries = 0
    const segments = {
      ...context.segments,
      announceRemoval: async (id: string) => {
        tries++
        tried.add(id)
        throw new Error('the store does not answer')
      },
    }
    const logged = vi.spyOn(context.log, 'warn')
    await sweepLiveSets({ ...context, segments }, now)
    expect(tries).toBe(5)
    expect(logged.mock.calls).toEqual([
      [expect.objectContaining({ failed: 5, trackSetId: [...tried][0] }), expect.any(String)],
    ])
    logged.mockRestore()
    await vi.waitFor(async () => {
      await sweepLiveSets({ ...context, segments }, now)
      expect(tried.size).toBeGreaterThan(10)
    })
    await sweepLiveSets(context, now)
  })

  it('lets viewers go back in what was received after the input was removed', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    await broadcast(idChannel, NOON - 10 * MINUTE, [150])
    await removeInput(db, idChannel)
    service.clock.set(NOON + 30 * SECOND)
    const { result, status } = await watch(idChannel, viewer, (NOON - 5 * MINUTE) / SECOND)
    expect(status).toBe(200)
    expect((await playlist(result.url)).segments).toHaveLength(150)
    const silent = -504
    expect((await watch(idChannel)).error.code).toBe(silent)
    expect((await watch(idChannel, viewer, (NOON + 10 * SECOND) / SECOND)).error.code).toBe(silent)
  })

  it('V3-22 lets viewers go back within the time-shift long after the signal ended', async () => {
    const { db } = service.context
    const idChannel = await liveChannel()
    const begin = NOON - 10 * MINUTE
    const [set] = await broadcast(idChannel, begin, [150])
    const trackSetId = set?.document.id ?? ''
    await db.transaction(
      async (tx) => await endSet(tx, { channelId: idChannel, trackSetId, startsAt: begin, endsAt: NOON }),
    )
    service.clock.set(NOON + 10 * MINUTE)
    const { result, error } = await watch(idChannel, viewer, (NOON - 5 * MINUTE) / SECOND)
    expect(error.code).toBe(0)
    expect((await playlist(result.url)).segments).toHaveLength(150)
    expect((await watch(idChannel)).error.code).toBe(-504)
    // The time-shift of the channel is half an hour.
    service.clock.set(NOON + 30 * MINUTE)
    expect((await watch(idChannel, viewer, (NOON - 5 * MINUTE) / SECOND)).error.code).toBe(-504)
    expect((await watch(idChannel, viewer, 0)).error.code).toBe(-504)
  })

  it('A7.3-13 a running recording grows with its channel, and ends with its last margin', async () => {
    const { db } = service.context
    await ensurePackage(db, 'recorder', { fra: 'Magnétoscope', eng: 'Recorder' }, 10)
    const actor = await make.actor({ packages: { recorder: {} } })
    const rules = { kind: 'sequence', titles: ['nothing'] }
    const fields = { kind: 'live' as const, inPackages: ['recorder'] }
    const idChannel = (await make.channel(`Live ${++count}`, rules, fields)).id
    const [programme] = await db
      .insert(programmes)
      .values({
        channelId: idChannel,
        universalId: 'running',
        startsAt: NOON - 2 * MINUTE,
        endsAt: NOON + MINUTE,
        titles: { fra: 'Direct' },
        moralityLevel: 0,
      })
      .returning({ id: programmes.id })
    const [set] = await broadcast(idChannel, NOON - 5 * MINUTE, [75])
    service.clock.set(NOON + SECOND)
    const wanted = { idEvent: programme?.id ?? 0, idChannel }
    const { id } = (await service.call(createRecording, wanted, actor.tokens)).result
    const read = { id, x: 'start', format: 'hls' } as const
    const { url } = (await service.call(playRecording, read, actor.tokens)).result
    const before = await playlist(url)
    // The recording begins a minute before its programme, so 45 segments of 4 s are listed.
    expect([before.segments.length, before.endlist]).toEqual([45, false])
    await updateSet(db, grown(set?.document as TrackSet, 80))
    service.clock.set(NOON + 21 * SECOND)
    const after = await playlist(url)
    expect([after.segments.length, after.endlist]).toEqual([50, false])
    // The recording ends five minutes after its programme.
    await updateSet(db, grown(set?.document as TrackSet, 165))
    service.clock.set(NOON + 6 * MINUTE + SECOND)
    const whole = await playlist(url)
    expect([whole.segments.length, whole.endlist]).toEqual([135, true])
  })

  it('A7.3-13 a running recording keeps what it has shown when its TrackSet grows across a break', async () => {
    const { db } = service.context
    await ensurePackage(db, 'recorder', { fra: 'Magnétoscope', eng: 'Recorder' }, 10)
    const actor = await make.actor({ packages: { recorder: {} } })
    const rules = { kind: 'sequence', titles: ['nothing'] }
    const fields = { kind: 'live' as const, inPackages: ['recorder'] }
    const idChannel = (await make.channel(`Live ${++count}`, rules, fields)).id
    const [programme] = await db
      .insert(programmes)
      .values({
        channelId: idChannel,
        universalId: 'split',
        startsAt: NOON - 2 * MINUTE,
        endsAt: NOON + 2 * MINUTE,
        titles: { fra: 'Direct' },
        moralityLevel: 0,
      })
      .returning({ id: programmes.id })
    const [, growing] = await broadcast(idChannel, NOON - 5 * MINUTE, [68, 8])
    service.clock.set(NOON + 5 * SECOND)
    const wanted = { idEvent: programme?.id ?? 0, idChannel }
    const { id } = (await service.call(createRecording, wanted, actor.tokens)).result
    await db
      .update(recordedProgrammes)
      .set({ breaks: [[NOON + 2 * SECOND, NOON + 50 * SECOND]] })
      .where(eq(recordedProgrammes.channelId, idChannel))
    const { url } = (await service.call(playRecording, { id, x: 'start', format: 'hls' }, actor.tokens))
      .result
    const shown = async () => (await playlist(url)).segments.map(({ uri }) => uri)
    const before = await shown()
    await updateSet(db, grown(growing?.document as TrackSet, 25))
    service.clock.set(NOON + 73 * SECOND)
    const after = await shown()
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.length).toBe(before.length + 17)
  })

  it('V1-08 offers a start-over only of programmes that began after the input was first on the air', async () => {
    const idChannel = await liveChannel()
    await broadcast(idChannel, NOON - 10 * MINUTE, [150])
    const rows = await service.context.db
      .insert(programmes)
      .values([
        {
          channelId: idChannel,
          universalId: 'before',
          startsAt: NOON - 20 * MINUTE,
          endsAt: NOON - 5 * MINUTE,
          titles: { fra: 'Avant' },
        },
        {
          channelId: idChannel,
          universalId: 'after',
          startsAt: NOON - 5 * MINUTE,
          endsAt: NOON + 5 * MINUTE,
          titles: { fra: 'Après' },
        },
      ])
      .returning({ id: programmes.id })
    service.clock.set(NOON)
    const offered = await Promise.all(
      rows.map(async ({ id }) => {
        const { result } = await service.call(epgEvent, { idChannel, idEvent: id }, viewer.tokens)
        return result.current.startoverEnabled
      }),
    )
    expect(offered).toEqual([false, true])
  })
})
