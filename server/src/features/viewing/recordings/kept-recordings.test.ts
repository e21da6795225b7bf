import { removeRecording } from '@ondine/contract/recordings'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { DATABASES, NOON } from '../../../../test/service.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { trimEntries } from '../../television/schedule/schedule.repository.ts'
import { storePlayback } from './played-recordings.service.ts'
import { followHourly, tendRecordings } from './recording-jobs.ts'
import { schedule } from './recordings.service.ts'
import { recordings } from './recordings.table.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe.each(DATABASES)('recordings whose signal failed, on a database of kind %s', (kind) => {
  const { scene, parts, programme, record, list, read, remove, restore, quota, play, at } =
    recordingScene(kind)

  /** Runs the job after the end of a programme whose media is missing from `lostFrom` on. */
  async function tendWithout(lostFrom: number, now: number): Promise<void> {
    const own = parts()
    const piecesIn: typeof own.air.piecesIn = async (channelId, from, to) =>
      (await own.air.piecesIn(channelId, from, to))
        .filter((piece) => piece.from < lostFrom)
        .map((piece) => ({ ...piece, to: Math.min(piece.to, lostFrom) }))
    at(now)
    await tendRecordings({ ...own, air: { ...own.air, piecesIn } }, now)
  }

  it('spec 52: are good for a viewer who stopped before the failure, and have failed for others', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 3)
    const [startsAt, endsAt] = [wanted.startutc * 1000, wanted.endutc * 1000]
    const own = (await record(wanted)).result.id
    const others = await scene.make.actor({ packages: { television: {} } })
    await record(wanted, others)
    at(startsAt + 10 * MINUTE)
    await remove(own)
    await tendWithout(startsAt + 12 * MINUTE, endsAt + HOUR)
    expect(await read(own)).toMatchObject({ state: 'recorded', duration: 600, missing: 0, note: null })
    expect((await play(own)).result.duration).toBe(660)
    expect((await quota()).result.npvr.consumed).toBe(10 * MINUTE)
    const [failed] = (await list(others)).records
    expect(failed).toMatchObject({ state: 'failed', missing: 18 * 60 })
    expect((await quota(others)).result.npvr.consumed).toBe(0)
  })

  it('spec 52: have failed for a viewer who stopped after the failure; only time before the stop is missing', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 4)
    const [startsAt, endsAt] = [wanted.startutc * 1000, wanted.endutc * 1000]
    const { id } = (await record(wanted)).result
    at(startsAt + 10 * MINUTE)
    await remove(id)
    await tendWithout(startsAt + 7 * MINUTE, endsAt + HOUR)
    expect(await read(id)).toMatchObject({ state: 'failed', missing: 180 })
    expect((await play(id)).error.code).toBe(-1602)
  })

  it('spec 52: are deleted a month after they have failed, so that their media is not pinned for ever', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 6)
    const [startsAt, endsAt] = [wanted.startutc * 1000, wanted.endutc * 1000]
    const { id } = (await record(wanted)).result
    const good = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
    await record(wanted, good)
    at(startsAt + 10 * MINUTE)
    await scene.service.call(removeRecording, { id: (await list(good)).records[0]?.id ?? 0 }, good.tokens)
    await tendWithout(startsAt + 12 * MINUTE, endsAt + HOUR)
    const gone = endsAt + 5 * MINUTE + 30 * DAY
    expect(await read(id)).toMatchObject({ state: 'failed', expiresAt: gone / 1000 })
    expect((await list(good)).records[0]).toMatchObject({ state: 'recorded', expiresAt: null })
    at(gone)
    await followHourly(parts(), gone)
    expect((await list()).count).toBe(1)
    at(gone + 1)
    await followHourly(parts(), gone + 1)
    expect([(await list()).count, (await list(good)).count]).toEqual([0, 1])
  })

  it('spec 52: have failed for a viewer who undoes the stop at the last moment', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 5)
    const [startsAt, endsAt] = [wanted.startutc * 1000, wanted.endutc * 1000]
    const { id } = (await record(wanted)).result
    const stopped = endsAt + 5 * MINUTE - 1000
    at(stopped)
    await remove(id)
    await tendWithout(startsAt + 12 * MINUTE, stopped + 45_000)
    expect((await restore(id)).result.state).toBe('failed')
  })
})

describe.each(DATABASES)('recordings that are kept for a time, on a database of kind %s', (kind) => {
  const { scene, parts, programme, record, list, read, at } = recordingScene(kind, {
    RECORDING_KEEP_DAYS: 3,
  })

  const expire = async () => await followHourly(parts(), scene.service.clock.now())

  it('name the day, and are deleted then', async () => {
    at(NOON)
    const wanted = await programme()
    const { id, expiresAt } = (await record(wanted)).result
    expect(expiresAt).toBeNull()
    const ended = wanted.endutc * 1000 + 5 * MINUTE
    at(ended)
    expect((await read(id)).expiresAt).toBe((ended + 3 * DAY) / 1000)
    at(ended + 3 * DAY)
    await expire()
    expect((await list()).count).toBe(1)
    at(ended + 3 * DAY + 1)
    await expire()
    expect((await list()).count).toBe(0)
    const { db } = scene.service.context
    expect(await db.$count(recordedProgrammes, eq(recordedProgrammes.programmeId, wanted.id))).toBe(0)
  })

  it('stay as long as the viewer watches them', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 3)
    const { id } = (await record(wanted)).result
    const updatedAt = wanted.endutc * 1000 + 5 * MINUTE + 3 * DAY + 1
    at(updatedAt)
    const playback = { watchedTo: undefined, updatedAt, playingUntil: updatedAt + MINUTE }
    await storePlayback(scene.service.context.db, [{ recordingId: id, ...playback }])
    await expire()
    expect((await read(id)).id).toBe(id)
    at(updatedAt + MINUTE + 1)
    await expire()
    expect((await list()).count).toBe(0)
  })

  it('count from the request if the programme was over by then', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 2)
    const asked = wanted.endutc * 1000 + 2 * DAY
    at(asked)
    const { id, expiresAt } = (await record(wanted)).result
    expect(expiresAt).toBe((asked + 3 * DAY) / 1000)
    at(asked + 3 * DAY)
    await expire()
    expect((await read(id)).id).toBe(id)
  })
})

describe.each(DATABASES)(
  'media that a recording pins at the last moment, on a database of kind %s',
  (kind) => {
    const { scene, ids, parts, programme, record, list, at } = recordingScene(kind)

    const entryOf = (startsAt: number) =>
      and(eq(scheduleEntries.channelId, ids.library ?? 0), eq(scheduleEntries.startsAt, startsAt))

    it('is kept by a sweep that runs at the same time', async () => {
      at(NOON)
      const { db } = scene.service.context
      const wanted = await programme('La Houle', 3)
      const startsAt = wanted.startutc * 1000
      const trim = async () => await trimEntries(db, startsAt + HOUR, 1000)
      await db.transaction(async (tx) => {
        await tx.insert(recordedProgrammes).values({
          channelId: ids.library ?? 0,
          universalId: 'pinned',
          startsAt,
          endsAt: startsAt + HOUR / 2,
          pinnedFrom: startsAt,
          pinnedTo: startsAt + HOUR / 2,
          otherStarts: { byId: [], byContent: [] },
          titles: {},
          subtitles: {},
          descriptions: {},
          genres: [],
          moralityLevel: 0,
          adult: false,
        })
        // The embedded database has one connection, so a sweep inside the transaction would wait for ever.
        if (kind === 'postgresql') await trim()
      })
      await trim()
      expect(await db.$count(scheduleEntries, entryOf(startsAt))).toBe(1)
      expect(await db.$count(scheduleEntries, entryOf(startsAt - HOUR / 2))).toBe(0)
    })

    it('is gone for a request that a sweep overtakes, so nothing is recorded', async () => {
      at(NOON)
      const { db, viewers } = scene.service.context
      const wanted = await programme('La Houle', 6)
      const now = wanted.endutc * 1000 + HOUR
      at(now)
      const { account, profileId } = scene.actor
      const profile = { id: profileId, kid: false, maximumMoralityLevel: 0 }
      const viewer = await viewers.of({ account: { id: account.id }, profile }, now)
      const own = parts()
      let looks = 0
      // Runs the sweep after the request has found the media.
      const piecesIn: typeof own.air.piecesIn = async (channelId, from, to) => {
        const pieces = await own.air.piecesIn(channelId, from, to)
        if (looks++ === 0) await trimEntries(db, wanted.endutc * 1000, 1000)
        return pieces
      }
      const air = { ...own.air, piecesIn }
      const owner = { accountId: account.id, profileId }
      const request = { idEvent: wanted.id, idChannel: ids.library ?? 0 }
      await expect(schedule({ ...own, air }, viewer, owner, request, now)).rejects.toThrow(
        expect.objectContaining({ error: 'noMediaFound' }),
      )
      expect((await list()).count).toBe(0)
      expect((await record(wanted)).error.code).toBe(-1602)
    })
  },
)

describe.each(DATABASES)('recordings of a title without rights, on a database of kind %s', (kind) => {
  const { scene, programme, record, list, play, at } = recordingScene(kind)
  const removeTitle = async (title: string, options = {}) =>
    await runCommand(scene.service, 'recordings remove-title', [title], options)

  it('are counted, and deleted once the operator confirms it', async () => {
    at(NOON)
    const { db } = scene.service.context
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    await record(await programme('La Houle', 2))
    const kept = (await record(await programme('Encre'))).result.id
    const other = await buildersOf(scene.service.context).actor({ packages: { television: {} } })
    await record(wanted, other)
    const said = await removeTitle('la houle')
    expect(said).toContain('Found 3 recordings of 2 programmes.')
    expect(said).toContain('Rive: La Houle (2 recordings)')
    expect((await list()).count).toBe(3)
    at(wanted.endutc * 1000 + HOUR)
    expect(await removeTitle('La Houle', { yes: true })).toBe('Deleted 3 recordings of 2 programmes.')
    expect((await list()).records.map((each) => each.id)).toEqual([kept])
    expect((await list(other)).count).toBe(0)
    expect((await play(id)).error.code).toBe(-404)
    expect(await db.$count(recordings)).toBe(1)
    expect(await db.$count(recordedProgrammes)).toBe(1)
  })

  it.each(['Nulle part', '', "%' or true --", 'Houle'])('are not found by “%s”', async (title) => {
    at(NOON)
    await record(await programme())
    await expect(removeTitle(title, { yes: true })).rejects.toThrow(/Nobody records/)
    expect((await list()).count).toBe(1)
  })
})
