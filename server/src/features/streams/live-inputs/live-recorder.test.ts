import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import type { Cut } from '../../../ingest/live/cutter.ts'
import { encodeSlate } from '../../../ingest/live/slate.ts'
import { liveSets } from '../../inventory/line-up/line-up.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { findInputs, holdInputs, putInput, releaseInputs, removeInput } from './live-inputs.repository.ts'
import { LiveRecorder } from './live-recorder.ts'
import { findLayout } from './live-sets.repository.ts'
import { slateLook } from './slate-look.ts'

const SECOND = 1000
/** End of the first segment. The key's period does not end soon afterwards. */
const START = NOON + 10 * SECOND

/** The tests store segments of 2 s directly, so that they control the time. */
describe.each(MAIN_DB)('the recorder of a live input, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let cutOf: (number: number) => Cut
  let count = 0

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    const picture = { width: 320, height: 180, frameRate: 25 }
    const { segments } = service.context
    const shape = { picture, sound: 'und' }
    cutOf = await encodeSlate(
      shape,
      slateLook(service.context),
      segments.workFolder,
      new AbortController().signal,
    )
  })
  afterAll(async () => await service.remove())

  async function liveChannel() {
    const { db } = service.context
    const rules = { kind: 'sequence', titles: ['nothing'] }
    const { id: channelId } = await make.channel(`Live ${++count}`, rules, { kind: 'live' })
    await putInput(db, channelId, `udp://127.0.0.1:${5000 + count}`, null)
    const inputId = (await findInputs(db, NOON)).find((row) => row.channelId === channelId)?.id ?? 0
    const recorder = async (segments = service.context.segments) => {
      const holder = randomUUID()
      await holdInputs(db, holder, [{ inputId, status: null }])
      const context = { ...service.context, segments }
      return { holder, recorder: new LiveRecorder(context, channelId, { inputId, holder }) }
    }
    const sets = async () =>
      await db.select().from(liveSets).where(eq(liveSets.channelId, channelId)).orderBy(liveSets.position)
    return { channelId, recorder, sets }
  }

  /** Stores the segments with the numbers in `[from, to)`. Segment 0 ends at `START`. */
  async function store(recorder: LiveRecorder, from: number, to: number): Promise<void> {
    for (let number = from; number < to; number++)
      await recorder.append(cutOf(number), START + number * 2 * SECOND)
  }

  /** Joins five segments to one of 10 s, as of a source with rare key frames. */
  function longCut(first: number): Cut {
    const cuts = Array.from({ length: 5 }, (_, index) => cutOf(first + index))
    const [begin] = cuts
    if (!begin) throw new Error('There are no segments.')
    return {
      ...begin,
      tracks: begin.tracks.map((track, index) => {
        const parts = cuts.flatMap(({ tracks }) => tracks[index] ?? [])
        return {
          ...track,
          durationTicks: parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0),
          samples: parts.flatMap(({ samples }) => samples),
        }
      }),
    }
  }

  it('begins another TrackSet when a segment does not continue the one before', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    await store(one, 0, 3)
    const repeated = { ...cutOf(2), isContinuous: true }
    await one.append(repeated, START + 6 * SECOND)
    const other = cutOf(3)
    const formats = other.tracks.map((track) => ({ ...track, format: { ...track.format } }))
    await one.append({ ...other, tracks: formats }, START + 8 * SECOND)
    await one.close()
    expect((await sets()).map(({ joint, mediaSequence }) => [joint, mediaSequence])).toEqual([
      ['break', 0],
      ['break', 3],
      ['break', 4],
    ])
  })

  it('gives a segment across two programmes a TrackSet of its own', async () => {
    const { channelId, recorder, sets } = await liveChannel()
    const border = START + 3 * SECOND
    const announced = (universalId: string, startsAt: number, endsAt: number, moralityLevel: number) => ({
      channelId,
      universalId,
      startsAt,
      endsAt,
      titles: { fra: universalId },
      moralityLevel,
    })
    await service.context.db
      .insert(programmes)
      .values([
        announced('clean', START - 3600 * SECOND, border, 0),
        announced('strong', border, START + 3600 * SECOND, 5),
      ])
    const { recorder: one } = await recorder()
    await store(one, 0, 6)
    await one.close()
    const stored = await sets()
    expect(stored.map(({ startsAt, joint }) => [startsAt - START, joint])).toEqual([
      [-2 * SECOND, 'break'],
      [2 * SECOND, 'continuous'],
      [4 * SECOND, 'continuous'],
    ])
    expect(stored.map(({ moralityLevel }) => moralityLevel)).toEqual([0, 5, 5])
  })

  it('stores every segment of a source whose segments arrive late and in bunches, without a gap', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    // The segments arrive up to 3 s late, the first one too: those after it are early by its clock.
    const lateMs = [3000, 0, 1200, 2900, 100, 0, 2500, 3000, 900, 0]
    let arrivedAt = 0
    for (let number = 0; number < 60; number++) {
      arrivedAt = Math.max(arrivedAt, START + number * 2 * SECOND + (lateMs[number % 10] ?? 0))
      await one.append(cutOf(number), arrivedAt)
    }
    await one.close()
    const stored = await sets()
    expect(stored.map(({ joint }) => joint)).toEqual(['break', ...stored.slice(1).map(() => 'continuous')])
    const [first, last] = [stored[0], stored.at(-1)]
    expect((last?.endsAt ?? 0) - (first?.startsAt ?? 0)).toBe(120 * SECOND)
  })

  it('refuses media that runs away from the clock, and goes on with a discontinuity', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    const stored: number[] = []
    // The media runs twice as fast as the clock.
    for (let number = 0; number < 12; number++) {
      const appended = one.append(cutOf(number), START + number * SECOND)
      await appended.then(
        () => stored.push(number),
        (error: Error) => expect(error.message).toMatch(/clock of the source is faster/),
      )
    }
    await one.close()
    const rows = await sets()
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.at(-1)?.joint).toBe('break')
    expect(rows.at(-1)?.endsAt ?? Infinity).toBeLessThanOrEqual(START + 16 * SECOND)
    expect(stored).toContain(5)
    expect(stored.length).toBeLessThan(12)
  })

  it('stores long segments after the slate, although the slate filled the time of the first one', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    await store(one, 0, 2)
    for (let number = 2; number < 5; number++)
      await one.append({ ...cutOf(number), isContinuous: number > 2 }, START + number * 2 * SECOND, true)
    const slateEndsAt = START + 8 * SECOND
    await one.append({ ...longCut(5), isContinuous: false }, slateEndsAt + SECOND)
    await one.append(longCut(10), slateEndsAt + 11 * SECOND)
    await one.close()
    const stored = await sets()
    expect(stored.map(({ isSlate, startsAt, endsAt }) => [isSlate, startsAt, endsAt])).toEqual([
      [false, START - 2 * SECOND, START + 2 * SECOND],
      [true, START + 2 * SECOND, slateEndsAt],
      [false, slateEndsAt, slateEndsAt + 20 * SECOND],
    ])
  })

  it('names its own clock when the stored media ends in the future', async () => {
    const { recorder } = await liveChannel()
    const { recorder: one } = await recorder()
    await one.append(cutOf(0), START + 600 * SECOND)
    for (const number of [1, 2])
      await expect(one.append(cutOf(number), START + number * 2 * SECOND)).rejects.toThrow(
        `the clock of this machine went back. Media is stored again from ${new Date(START + 600 * SECOND).toISOString()}`,
      )
    await one.close()
  })

  it('stores nothing once another process receives the input', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one, holder } = await recorder()
    await store(one, 0, 2)
    await releaseInputs(service.context.db, holder)
    const { recorder: two } = await recorder()
    await two.append({ ...cutOf(0), isContinuous: false }, START + 10 * SECOND)
    for (const number of [2, 3])
      await expect(one.append(cutOf(number), START + number * 2 * SECOND)).rejects.toThrow(/another process/)
    await expect(one.endsAt()).rejects.toThrow(/another process/)
    await two.append(cutOf(1), START + 12 * SECOND)
    await one.close()
    await two.close()
    expect((await sets()).map(({ position, mediaSequence }) => [position, mediaSequence])).toEqual([
      [0, 0],
      [1, 2],
    ])
    const { db, folders } = service.context
    const known = await db.select({ id: liveSets.trackSetId }).from(liveSets)
    const stored = (await readdir(folders.media)).filter((name) => /^[0-9a-f]{32}$/.test(name))
    expect(stored.toSorted()).toEqual(known.map(({ id }) => id).toSorted())
  })

  it('stores no segment after another process has taken the lease, even before that process stores one', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one, holder } = await recorder()
    await store(one, 0, 2)
    await releaseInputs(service.context.db, holder)
    const { recorder: two } = await recorder()
    await expect(store(one, 2, 3)).rejects.toThrow(/another process/)
    // The keeper sends this segment to the next process.
    await two.append({ ...cutOf(2), isContinuous: false }, START + 4 * SECOND)
    await two.close()
    expect((await sets()).map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      [START - 2 * SECOND, START + 2 * SECOND],
      [START + 2 * SECOND, START + 4 * SECOND],
    ])
  })

  it('ends its TrackSet when a segment arrives between the removal of the input and the stop', async () => {
    const { channelId, recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    await store(one, 0, 2)
    await removeInput(service.context.db, channelId)
    await expect(store(one, 2, 3)).rejects.toThrow(/another process/)
    await one.close()
    const [set] = await sets()
    expect(set).toMatchObject({ startsAt: START - 2 * SECOND, endsAt: START + 2 * SECOND })
    const own = eq(trackSets.id, set?.trackSetId ?? '')
    const stored = service.context.db.select({ isGrowing: trackSets.isGrowing }).from(trackSets)
    expect(await stored.where(own)).toEqual([{ isGrowing: false }])
  })

  it('leaves no files of a TrackSet whose first segment could not be written, and goes on', async () => {
    const { recorder, sets } = await liveChannel()
    const { segments, folders } = service.context
    let isFull = true
    const { recorder: one } = await recorder({
      ...segments,
      write: async (file, bytes) => {
        if (isFull && file.rendition.startsWith('a-')) throw new Error('ENOSPC: no space left on device')
        await segments.write(file, bytes)
      },
    })
    const stored = async () => new Set(await readdir(folders.media))
    const before = await stored()
    for (const number of [0, 1]) await expect(store(one, number, number + 1)).rejects.toThrow('ENOSPC')
    expect(await stored()).toEqual(before)
    isFull = false
    await store(one, 2, 4)
    await one.close()
    const [set] = await sets()
    expect(await stored()).toEqual(before.add(set?.trackSetId ?? ''))
  })

  it('leaves the layout alone once another process receives the input', async () => {
    const { db } = service.context
    const { channelId, recorder } = await liveChannel()
    const { recorder: one, holder } = await recorder()
    await store(one, 0, 2)
    const before = await findLayout(db, channelId)
    await releaseInputs(db, holder)
    await recorder()
    const { tracks, ...rest } = cutOf(2)
    // A segment that is longer than all earlier segments.
    const longer = tracks.map((track) => ({ ...track, durationTicks: 2 * track.durationTicks }))
    const append = one.append({ ...rest, tracks: longer }, START + 6 * SECOND)
    await expect(append).rejects.toThrow(/another process/)
    expect(await findLayout(db, channelId)).toEqual(before)
  })

  it('marks the picture of a silent input', async () => {
    const { recorder, sets } = await liveChannel()
    const { recorder: one } = await recorder()
    await store(one, 0, 2)
    await one.append({ ...cutOf(0), isContinuous: false }, START + 4 * SECOND, true)
    await one.close()
    expect((await sets()).map(({ isSlate }) => isSlate)).toEqual([false, true])
  })
})
