import { createSeriesRecording } from '@ondine/contract/recordings'
import { layoutOfChannel } from '@ondine/media/layout'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { addSet, setLayout } from '../../streams/live-inputs/live-sets.repository.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The tests write the TrackSets of live channels. Times are minutes from noon, when the viewer records. */
describe.each(MAIN_DB)('recordings of a running programme, on a database of kind %s', (kind) => {
  const { scene, tend, record, list, read, play, at } = recordingScene(kind)
  let idChannel: number
  let count = 0
  let position: number
  let mediaSequence: number
  beforeEach(async () => {
    at(NOON)
    position = 0
    mediaSequence = 0
    const fields = { kind: 'live' as const, timeshiftSeconds: 3600, inPackages: ['television'] }
    const rules = { kind: 'sequence', titles: ['nothing'] }
    idChannel = (await scene.make.channel(`Live ${++count}`, rules, fields)).id
  })

  /** Stores a TrackSet from `from` to `to`. */
  async function broadcast(from: number, to: number, isSlate = false): Promise<void> {
    const { db } = scene.service.context
    const document = buildTrackSet({ seconds: (to - from) * 60, subtitles: [] })
    if (position === 0) await setLayout(db, idChannel, layoutOfChannel([document], 4), NOON)
    const set = {
      channelId: idChannel,
      position,
      startsAt: NOON + from * MINUTE,
      joint: 'break',
      isSlate,
      mediaSequence,
      discontinuitySequence: position++,
    } as const
    mediaSequence += document.renditions[0]?.segments.reduce((sum, [, times]) => sum + times, 0) ?? 0
    await db.transaction(async (tx) => await addSet(tx, set, document, Buffer.alloc(16, position)))
  }

  async function announce(from: number, to: number): Promise<{ id: number; id_channel: number }> {
    const { db } = scene.service.context
    const [row] = await db
      .insert(programmes)
      .values({
        channelId: idChannel,
        universalId: `${idChannel} ${from}`,
        startsAt: NOON + from * MINUTE,
        endsAt: NOON + to * MINUTE,
        titles: { fra: `Direct ${idChannel}` },
        seasonNumber: 1,
        episodeNumber: 1,
        moralityLevel: 0,
      })
      .returning({ id: programmes.id })
    return { id: row?.id ?? 0, id_channel: idChannel }
  }

  const pinned = async () =>
    await scene.service.context.db.$count(recordedProgrammes, eq(recordedProgrammes.channelId, idChannel))

  it('spec 52: are refused if too much of the programme is gone, because they would fail at its end', async () => {
    const film = await announce(-100, 20)
    await broadcast(-66, 0)
    expect((await record(film)).error.code).toBe(-1602)
    expect([(await list()).count, await pinned()]).toEqual([0, 0])
  })

  it('spec 52: are made from what is left if little of the programme is gone', async () => {
    const film = await announce(-90, 30)
    await broadcast(-66, 0)
    const { result } = await record(film)
    expect(result.state).toBe('recording')
    const played = (await play(result.id)).result
    expect((played.startsAt + played.seek) * SECOND).toBe(NOON - 66 * MINUTE)
    await broadcast(0, 40)
    at(NOON + 36 * MINUTE)
    await tend()
    expect(await read(result.id)).toMatchObject({ state: 'recorded', note: 'incomplete', missing: 24 * 60 })
    expect((await play(result.id)).status).toBe(200)
  })

  it('are made without the latest half minute, whose media may still arrive', async () => {
    const news = await announce(-5, 5)
    await broadcast(-3, -0.5)
    expect((await record(news)).result.state).toBe('recording')
    at(NOON + SECOND)
    const other = await scene.make.actor({ packages: { television: {} } })
    expect((await record(news, other)).error.code).toBe(-1602)
  })

  it('spec 52: are refused if the channel has shown its slate for too long', async () => {
    const news = await announce(-5, 5)
    await broadcast(-5, -4)
    await broadcast(-4, -1, true)
    await broadcast(-1, 0)
    expect((await record(news)).error.code).toBe(-1602)
  })

  it('are left out by a series, which records the next showing of the episode', async () => {
    const episode = await announce(-100, 20)
    const next = await announce(60, 180)
    await broadcast(-66, 0)
    expect((await record(episode)).error.code).toBe(-1602)
    const wanted = { idEvent: episode.id, idChannel, episodes: 'all', anyChannel: false } as const
    expect((await scene.service.call(createSeriesRecording, wanted, scene.actor.tokens)).status).toBe(200)
    expect((await list()).records.map(({ idEvent }) => idEvent)).toEqual([next.id])
  })
})
