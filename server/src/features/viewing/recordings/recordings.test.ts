import { listChannels } from '@ondine/contract/channels'
import { heartbeat } from '@ondine/contract/playback'
import * as calls from '@ondine/contract/recordings'
import { and, eq, isNotNull } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { recordingScene } from '../../../../test/recording-scene.ts'
import { DATABASES, NOON } from '../../../../test/service.ts'
import { untilWaiting } from '../../../../test/waiting.ts'
import { sweepMedia } from '../../content/library/sweep-media.ts'
import { channels, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage, putChannelsInPackage } from '../../rights/entitlements/packages.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { followHourly, tendRecordings } from './recording-jobs.ts'
import { recordings } from './recordings.table.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe.each(DATABASES)('recordings, on a database of kind %s', (kind) => {
  const { scene, ids, guide, programme, tend, record, list, read, remove, restore, quota, play, at } =
    recordingScene(kind)

  it('A7.3-09 A7.3-10 A7.3-11 A3-32 records a programme, and lists it', async () => {
    at(NOON)
    const wanted = await programme()
    expect(wanted.npvrEnabled).toBe(true)
    const { status, result } = await record(wanted)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      idEvent: wanted.id,
      idChannel: ids.library,
      channel: 'Rive',
      title: 'La Houle',
      startutc: wanted.startutc,
      endutc: wanted.endutc,
      duration: 1800,
      state: 'planned',
      note: null,
      position: 0,
    })
    expect(await list()).toEqual({ count: 1, records: [result] })
    expect(await read(result.id)).toEqual(result)
  })

  it('A4.2-04 a recording is planned, running and recorded by the clock alone', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    const states = []
    for (const time of [
      wanted.startutc * 1000 - MINUTE - 1,
      wanted.startutc * 1000 - MINUTE,
      wanted.endutc * 1000 + 5 * MINUTE - 1,
      wanted.endutc * 1000 + 5 * MINUTE,
    ]) {
      at(time)
      states.push((await read(id)).state)
    }
    expect(states).toEqual(['planned', 'recording', 'recording', 'recorded'])
    at(wanted.endutc * 1000 + 6 * MINUTE)
    await tend()
    expect(await read(id)).toMatchObject({ state: 'recorded', note: null, missing: 0 })
  })

  it('twice at once is one recording', async () => {
    at(NOON)
    const wanted = await programme()
    const answers = await Promise.all([record(wanted), record(wanted), record(wanted)])
    expect(new Set(answers.map(({ result }) => result.id)).size).toBe(1)
    expect((await list()).count).toBe(1)
  })

  it('of one programme share its interval', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 3)
    await record(wanted)
    await record(wanted, await scene.make.actor({ packages: { television: {} } }))
    const { db } = scene.service.context
    const rows = await db
      .select({ from: recordedProgrammes.pinnedFrom, to: recordedProgrammes.pinnedTo })
      .from(recordedProgrammes)
      .where(eq(recordedProgrammes.programmeId, wanted.id))
    expect(rows).toEqual([{ from: wanted.startutc * 1000 - MINUTE, to: wanted.endutc * 1000 + 5 * MINUTE }])
  })

  it('reach back to the beginning of a programme in progress, and to programmes that are over', async () => {
    at(NOON)
    const wanted = await programme()
    at(wanted.startutc * 1000 + 10 * MINUTE)
    const running = (await record(wanted)).result
    expect(running.state).toBe('recording')
    const started = (await play(running.id)).result
    expect(started.isGrowing).toBe(true)
    expect(started.startsAt * 1000 + started.seek * 1000).toBe(wanted.startutc * 1000)
    await remove(running.id)
    at(wanted.endutc * 1000 + 3 * HOUR)
    const other = await scene.make.actor({ packages: { television: {} } })
    expect((await record(wanted, other)).result.state).toBe('recorded')
  })

  it('A7.3-12 A2.4-03 are cancelled while they are planned, and the cancelling can be undone', async () => {
    at(NOON)
    const { id } = (await record(await programme())).result
    expect((await remove(id)).result).toEqual({ outcome: 'cancelled' })
    expect((await list()).count).toBe(0)
    expect((await remove(id)).error.code).toBe(-404)
    expect((await restore(id)).result.id).toBe(id)
    await remove(id)
    at(NOON + 61_000)
    await tend()
    expect((await restore(id)).error.code).toBe(-404)
  })

  it('A7.3-12 A2.4-03 are stopped while they run, and keep what they have', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    at(wanted.startutc * 1000 + 10 * MINUTE)
    expect((await remove(id)).result).toEqual({ outcome: 'stopped' })
    expect(await read(id)).toMatchObject({ state: 'recorded', duration: 600 })
    at(wanted.startutc * 1000 + 11 * MINUTE)
    const played = (await play(id)).result
    expect(played.isGrowing).toBe(false)
    expect(played.duration).toBe(660)
    expect((await restore(id)).result).toMatchObject({
      state: 'recordingPlaying',
      duration: 1800,
    })
  })

  it('A7.3-12 a repeated call does not delete what the first one stopped', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    const stopped = wanted.startutc * 1000 + 10 * MINUTE
    at(stopped)
    const answers = await Promise.all([remove(id), remove(id)])
    at(stopped + 9999)
    answers.push(await remove(id))
    expect(answers.map(({ result }) => result.outcome)).toEqual(['stopped', 'stopped', 'stopped'])
    expect(await read(id)).toMatchObject({ state: 'recorded', duration: 600 })
    at(stopped + 10_000)
    expect((await remove(id)).result).toEqual({ outcome: 'deleted' })
  })

  it('A7.3-12 A2.4-03 are deleted although they were just stopped, and kept if they ended before the stop', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    const call = async (intent: 'end' | 'delete') =>
      (await scene.service.call(calls.removeRecording, { id, intent }, scene.actor.tokens)).result.outcome
    at(wanted.startutc * 1000 + 10 * MINUTE)
    expect([await call('end'), await call('end')]).toEqual(['stopped', 'stopped'])
    expect(await call('delete')).toBe('deleted')
    expect((await restore(id)).result).toMatchObject({ state: 'recorded', duration: 600 })
    expect((await restore(id)).result.state).toBe('recording')
    at(wanted.endutc * 1000 + 5 * MINUTE)
    expect(await call('end')).toBe('kept')
    expect((await read(id)).state).toBe('recorded')
    expect(await call('delete')).toBe('deleted')
    expect((await list()).count).toBe(0)
  })

  it('A7.3-12 are cancelled in the margin before the programme, which keeps nothing of it', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    at(wanted.startutc * 1000 - 30_000)
    expect((await read(id)).state).toBe('recording')
    expect((await remove(id)).result).toEqual({ outcome: 'cancelled' })
    expect((await list()).count).toBe(0)
    expect((await restore(id)).result.state).toBe('recording')
  })

  it('A7.3-13 a stopped recording that was watched to its end starts again', async () => {
    at(NOON)
    const wanted = await programme()
    const { id } = (await record(wanted)).result
    at(wanted.startutc * 1000 + 10 * MINUTE)
    await remove(id)
    at(wanted.endutc * 1000)
    const { session } = (await play(id)).result
    await scene.service.call(heartbeat, { session, position: 655, event: 'close' })
    expect((await read(id)).state).toBe('played')
    expect((await play(id, 'last')).result.seek).toBe(60)
  })

  it('are not failed for a viewer who records the programme when its media is back', async () => {
    at(NOON)
    const wanted = await programme('La Houle', 3)
    const { id } = (await record(wanted)).result
    at(wanted.endutc * 1000 + HOUR)
    await tend()
    const { db } = scene.service.context
    await db
      .update(recordedProgrammes)
      .set({ failed: true, missingSeconds: 1800 })
      .where(eq(recordedProgrammes.programmeId, wanted.id))
    expect((await read(id)).state).toBe('failed')
    const other = await scene.make.actor({ packages: { television: {} } })
    expect((await record(wanted, other)).result).toMatchObject({ state: 'recorded', missing: 0 })
    await tend()
    expect(await read(id)).toMatchObject({ state: 'recorded', missing: 0 })
  })

  describe('of a programme that the guide lengthens after its recordings ended', () => {
    /** Records a programme, settles the recording, and lengthens the programme by half an hour. */
    async function overrun(place: number) {
      at(NOON)
      const wanted = await programme('La Houle', place)
      const { id } = (await record(wanted)).result
      at(wanted.endutc * 1000 + 6 * MINUTE)
      await tend()
      expect(await read(id)).toMatchObject({ state: 'recorded', endutc: wanted.endutc })
      const endutc = wanted.endutc + 1800
      await scene.service.context.db
        .update(programmes)
        .set({ endsAt: endutc * 1000 })
        .where(eq(programmes.id, wanted.id))
      at(wanted.endutc * 1000 + 10 * MINUTE)
      return { wanted, id, endutc }
    }

    it('have all of it for a viewer who records it then, and for the others', async () => {
      const { wanted, id, endutc } = await overrun(7)
      const other = await scene.make.actor({ packages: { television: {} } })
      expect((await record(wanted, other)).result).toMatchObject({
        state: 'recording',
        endutc,
        duration: 3600,
      })
      expect(await read(id)).toMatchObject({ state: 'recording', endutc })
      at(endutc * 1000 + 6 * MINUTE)
      await tend()
      expect(await read(id)).toMatchObject({ state: 'recorded', note: null, duration: 3600 })
    })

    it('go on when their viewer records it again, with the recording time for the rest', async () => {
      const { wanted, id, endutc } = await overrun(9)
      const before = (await quota()).result.npvr
      expect((await record(wanted)).result).toMatchObject({ id, state: 'recording', endutc })
      const { consumed, planned } = (await quota()).result.npvr
      expect(consumed + planned - before.consumed - before.planned).toBe(30 * MINUTE)
    })

    it.each([
      ['later', 5],
      ['earlier', -5],
    ])('have all of it even if the guide begins it %s', async (_, minutes) => {
      const { wanted, id, endutc } = await overrun(minutes > 0 ? 15 : 17)
      const startutc = wanted.startutc + minutes * 60
      const { db } = scene.service.context
      // The schedule of the channel has another programme before this one.
      await db.delete(programmes).where(eq(programmes.endsAt, wanted.startutc * 1000))
      const change = async (by: Partial<typeof programmes.$inferInsert>) =>
        await db.update(programmes).set(by).where(eq(programmes.id, wanted.id))
      await change({ startsAt: startutc * 1000 })
      expect((await record(wanted)).result).toMatchObject({ id, state: 'recording', startutc, endutc })
    })

    it('end as before if there is no recording time for the rest', async () => {
      at(NOON)
      const small = await scene.make.actor({ packages: { little: {} } })
      await record(await programme('Encre', 11), small)
      const wanted = await programme('La Houle', 11)
      const { id } = (await record(wanted, small)).result
      at(wanted.endutc * 1000 + 6 * MINUTE)
      await tend()
      await scene.service.context.db
        .update(programmes)
        .set({ endsAt: (wanted.endutc + 1800) * 1000 })
        .where(eq(programmes.id, wanted.id))
      at(wanted.endutc * 1000 + 10 * MINUTE)
      expect((await record(wanted, small)).error.code).toBe(-509)
      const kept = (await list(small)).records.find((each) => each.id === id)
      expect(kept).toMatchObject({ state: 'recorded', endutc: wanted.endutc })
    })
  })

  describe('A6-10 the quota', () => {
    const NOTHING_USED = { consumed: 0, available: 10 * HOUR, planned: 0, running: 0 }

    it('A7.3-14 A3-32 is that of the packages, in milliseconds, and grows with a running recording', async () => {
      at(NOON)
      expect((await quota()).result.npvr).toEqual(NOTHING_USED)
      const wanted = await programme()
      await record(wanted)
      expect((await quota()).result.npvr).toMatchObject({ consumed: 0, planned: 30 * MINUTE, running: 0 })
      at(wanted.startutc * 1000 + 10 * MINUTE)
      const rest = 20 * MINUTE
      expect((await quota()).result.npvr).toMatchObject({
        consumed: 10 * MINUTE,
        planned: rest,
        running: rest,
      })
      at(wanted.endutc * 1000 + HOUR)
      expect((await quota()).result.npvr).toMatchObject({ consumed: 30 * MINUTE, planned: 0, running: 0 })
    })

    it('A2.4-04 refuses what does not fit any more, also twice at once', async () => {
      at(NOON)
      const small = await scene.make.actor({ packages: { little: {} } })
      const [one, two, three] = [await programme(), await programme('Encre'), await programme('La Houle', 2)]
      expect((await record(one, small)).status).toBe(200)
      const codes = (await Promise.all([record(two, small), record(three, small)])).map(
        ({ error }) => error.code,
      )
      expect(codes.toSorted((one, other) => one - other)).toEqual([-509, 0])
      expect((await quota(small)).result.npvr.planned).toBe(HOUR)
    })

    it('A2.4-03 does not refuse an undo, which ends after a minute', async () => {
      at(NOON)
      const small = await scene.make.actor({ packages: { little: {} } })
      const undo = async (id: number) =>
        await scene.service.call(calls.restoreRecording, { id }, small.tokens)
      await record(await programme(), small)
      const { id } = (await record(await programme('Encre'), small)).result
      await scene.service.call(calls.removeRecording, { id }, small.tokens)
      expect((await record(await programme('La Houle', 2), small)).status).toBe(200)
      at(NOON + 60_000)
      expect((await undo(id)).result.id).toBe(id)
      await scene.service.call(calls.removeRecording, { id }, small.tokens)
      at(NOON + 120_001)
      expect((await undo(id)).error.code).toBe(-404)
      expect((await list(small)).count).toBe(2)
    })

    it('A3-32 spec 53: does not count recordings that the account does not see, because it lost their package', async () => {
      at(NOON)
      const { db } = scene.service.context
      const { id } = (await record(await programme())).result
      await db
        .update(recordings)
        .set({ packageIds: [await ensurePackage(db, 'lost', { fra: 'Perdu' })] })
        .where(eq(recordings.id, id))
      expect((await list()).count).toBe(0)
      expect((await quota()).result.npvr).toEqual(NOTHING_USED)
      // The account records the programme again with its present packages. From then on, it counts towards the quota.
      expect((await record(await programme())).result.id).toBe(id)
      expect((await list()).count).toBe(1)
      expect((await quota()).result.npvr.planned).toBe(30 * MINUTE)
    })

    it('is zero for an account whose packages give no recording time', async () => {
      at(NOON)
      const { db } = scene.service.context
      const id = await ensurePackage(db, 'none', { fra: 'Rien' })
      await putChannelsInPackage(db, id, [ids.library ?? 0])
      const poor = await scene.make.actor({ packages: { none: {} } })
      expect((await quota(poor)).result.npvr).toEqual({ ...NOTHING_USED, available: 0 })
      expect((await record(await programme(), poor)).error.code).toBe(-4012)
    })
  })

  it('A2.4-03 stay when another showing is recorded in their place, if they have media', async () => {
    at(NOON)
    const wanted = await programme()
    const replaces = (await record(wanted)).result.id
    at(wanted.startutc * 1000 + MINUTE)
    const next = await programme('La Houle', 13)
    const input = { idEvent: next.id, idChannel: next.id_channel, replaces }
    const { result } = await scene.service.call(calls.createRecording, input, scene.actor.tokens)
    expect((await list()).records.map(({ id }) => id)).toEqual([result.id, replaces])
  })

  it('A2.4-03 do not replace a recording that the profile does not have', async () => {
    at(NOON)
    const wanted = await programme()
    const other = await scene.make.actor({ packages: { television: {} } })
    const { id } = (await record(wanted)).result
    for (const replaces of [id, 999_999_999]) {
      const input = { idEvent: wanted.id, idChannel: wanted.id_channel, replaces }
      expect((await scene.service.call(calls.createRecording, input, other.tokens)).status).toBe(200)
    }
    expect([(await list()).count, (await list(other)).count]).toEqual([1, 1])
  })

  describe('are refused', () => {
    it('for programmes that do not exist, or are on another channel', async () => {
      at(NOON)
      const wanted = await programme()
      expect((await record({ id: 999_999, id_channel: ids.library ?? 0 })).error.code).toBe(-404)
      expect((await record({ id: wanted.id, id_channel: ids.relay ?? 0 })).error.code).toBe(-404)
      expect((await record({ id: wanted.id, id_channel: 999_999 })).error.code).toBe(-10)
    })

    it('on a channel without rights, and for an account that is suspended', async () => {
      at(NOON)
      const wanted = await programme()
      expect((await record(wanted, await scene.make.actor())).error.code).toBe(-1721)
      const suspended = await scene.make.actor({ packages: { television: {} }, status: 'SUSPENDED' })
      expect((await record(wanted, suspended)).error.code).toBe(-2409)
    })

    it('A7.3-09 on a channel that was bought for some hours, which does not offer them', async () => {
      at(NOON)
      const { db } = scene.service.context
      const wanted = await programme()
      const buyer = async (packages: Record<string, Record<string, never>>) => {
        const actor = await scene.make.actor({ packages })
        await addGrant(db, {
          accountId: actor.account.id,
          opens: { channelId: ids.library ?? 0 },
          source: 'payPerView',
          sourceId: `order of ${actor.account.id}`,
          from: NOON,
          to: NOON + DAY,
        })
        const listed = (await scene.service.call(listChannels, {}, actor.tokens)).result
        const { isIncludedInUserOffers, item } = listed.find(({ name }) => name === 'Rive') ?? {}
        expect(isIncludedInUserOffers).toBe(true)
        return [item?.allowRecording, (await record(wanted, actor)).error.code]
      }
      expect(await buyer({})).toEqual([false, -508])
      expect(await buyer({ television: {} })).toEqual([true, 0])
    })

    it('of a relay, whose channel does not allow them', async () => {
      at(NOON)
      const [wanted] = await guide('relay', NOON + HOUR)
      expect(wanted?.npvrEnabled).toBe(false)
      expect((await record({ id: wanted?.id ?? 0, id_channel: ids.relay ?? 0 })).error.code).toBe(-508)
      const listed = (await scene.service.call(listChannels, {}, scene.actor.tokens)).result
      expect(listed.map(({ name, item }) => [name, item.allowRecording])).toEqual([
        ['Rive', true],
        ['Relais', false],
      ])
    })

    it('where the guide forbids them', async () => {
      at(NOON)
      const { db } = scene.service.context
      const wanted = await programme('La Houle', 6)
      await db
        .update(programmes)
        .set({ details: { recordingForbidden: true } })
        .where(eq(programmes.id, wanted.id))
      expect((await record(wanted)).error.code).toBe(-508)
      expect((await guide()).find(({ id }) => id === wanted.id)?.npvrEnabled).toBe(false)
    })

    it('to a child’s profile above its level, which sees no such recording either', async () => {
      at(NOON)
      const child = await scene.make.actor({
        packages: { television: {} },
        profile: { kid: true, maximumMoralityLevel: 2 },
      })
      expect((await record(await programme('Encre'), child)).error.code).toBe(-404)
      const { id } = (await record(await programme(), child)).result
      expect((await list(child)).records.map((each) => each.id)).toEqual([id])
    })

    it.each([
      ['POST', '/npvr/0', { idEvent: 'x', idChannel: '1' }],
      ['POST', '/npvr/0', { idEvent: '1' }],
      ['POST', '/npvr/0', { idEvent: '1', idChannel: '1', replaces: '0' }],
      ['GET', '/npvr/0/-1', {}],
      ['GET', '/npvr/0/99999999999', {}],
      ['DELETE', '/npvr/0/1.5', {}],
      ['GET', '/npvr/0/1/read/soon', {}],
      ['POST', '/npvr/0/1', {}],
      ['POST', '/npvr/0/1', { isFavorite: 'perhaps' }],
      ['POST', '/npvr/0/x', { isBegun: 'true' }],
      ['GET', '/npvr/series?idEvent=x', {}],
      ['POST', '/npvr/series', { idEvent: '1', idChannel: '1', keepLast: '0' }],
      ['POST', '/npvr/series', { idEvent: '1', idChannel: '1', episodes: 'some' }],
    ] as const)('for wrong fields: %s %s %j', async (method, url, fields) => {
      const answer = await scene.service.app.inject({
        method,
        url,
        headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'GET' ? {} : { payload: new URLSearchParams(fields).toString() }),
      })
      expect(answer.json()).toMatchObject({ status: false, error: { code: -400 } })
    })

    it('to other profiles', async () => {
      at(NOON)
      const { id } = (await record(await programme())).result
      const other = await scene.make.actor({ packages: { television: {} } })
      for (const call of [calls.readRecording, calls.removeRecording, calls.restoreRecording])
        expect((await scene.service.call(call, { id }, other.tokens)).error.code).toBe(-404)
      expect((await play(id, 'start', other)).error.code).toBe(-404)
      expect((await list(other)).count).toBe(0)
    })
  })

  describe('A7.3-13 play', () => {
    it('from the beginning of the programme, with a part of its neighbours, and complete', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const { id } = (await record(wanted)).result
      expect((await play(id)).error.code).toBe(-1602)
      at(wanted.endutc * 1000 + HOUR)
      const { result } = await play(id)
      expect(result).toMatchObject({ isGrowing: false, seek: 60, duration: 36 * 60 })
      const lists = await scene.service.app.inject(result.url)
      const uri = lists.body.split('\n').find((line) => line.startsWith('v')) ?? ''
      const media = await scene.service.app.inject(new URL(uri, `http://x${result.url}`).pathname)
      expect(media.body).toContain('#EXT-X-PLAYLIST-TYPE:VOD')
      expect(media.body).toContain('#EXT-X-ENDLIST')
    })

    it('while they are recorded, and become complete when they end', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const { id } = (await record(wanted)).result
      at(wanted.startutc * 1000 + 10 * MINUTE)
      const { result } = await play(id)
      expect(result.isGrowing).toBe(true)
      async function playlist(): Promise<string> {
        const lists = await scene.service.app.inject(result.url)
        const uri = lists.body.split('\n').find((line) => line.startsWith('v')) ?? ''
        return (await scene.service.app.inject(new URL(uri, `http://x${result.url}`).pathname)).body
      }
      const running = await playlist()
      expect(running).not.toContain('#EXT-X-ENDLIST')
      at(wanted.endutc * 1000 + 6 * MINUTE)
      const over = await playlist()
      expect(over).toContain('#EXT-X-ENDLIST')
      expect(over.startsWith(running.slice(0, running.indexOf('#EXTINF')))).toBe(true)
    })

    it('A4.2-04 as the states say, and go on where the profile stopped', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const { id } = (await record(wanted)).result
      at(wanted.startutc * 1000 + 10 * MINUTE)
      const { session } = (await play(id)).result
      expect((await read(id)).state).toBe('recordingPlaying')
      at(wanted.endutc * 1000 + HOUR)
      const beat = async (position: number, event: 'progress' | 'close') =>
        await scene.service.call(heartbeat, { session, position, event })
      await beat(660, 'progress')
      expect(await read(id)).toMatchObject({ state: 'playing', position: 660 })
      // Positions in a growing manifest count from the Unix epoch.
      await beat(wanted.startutc - 60 + 670, 'progress')
      expect((await read(id)).position).toBe(670)
      await beat(700, 'close')
      expect(await read(id)).toMatchObject({ state: 'recorded', position: 700 })
      expect((await play(id, 'last')).result.seek).toBe(700)
      expect((await play(id, 'start')).result.seek).toBe(60)
      const again = (await play(id, 'last')).result.session
      await scene.service.call(heartbeat, { session: again, position: 60 + 1799, event: 'close' })
      expect((await read(id)).state).toBe('played')
      expect((await play(id, 'last')).result.seek).toBe(60)
    })

    it('the keys of the recording only, and none once the package is lost', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const { id } = (await record(wanted)).result
      at(wanted.endutc * 1000 + HOUR)
      const { url } = (await play(id)).result
      const lists = await scene.service.app.inject(url)
      const uri = lists.body.split('\n').find((line) => line.startsWith('v')) ?? ''
      const media = await scene.service.app.inject(new URL(uri, `http://x${url}`).pathname)
      const key = /URI="(key\/[0-9a-f]{32})"/.exec(media.body)?.[1] ?? ''
      const address = new URL(key, `http://x${url}`).pathname
      expect((await scene.service.app.inject(address)).rawPayload).toHaveLength(16)
      const { db } = scene.service.context
      await db
        .update(grants)
        .set({ endedAt: scene.service.clock.now() })
        .where(eq(grants.accountId, scene.actor.account.id))
      at(scene.service.clock.now() + 1000)
      expect((await scene.service.app.inject(address)).statusCode).toBe(403)
    })

    it.each([
      ['the operator has switched off', { enabled: false }],
      ['one import of its list lacks', { goneSince: NOON }],
    ])('although they are of a channel that %s', async (_why, hidden) => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const { id } = (await record(wanted)).result
      const { db } = scene.service.context
      const ofChannel = eq(channels.id, ids.library ?? 0)
      await db.update(channels).set(hidden).where(ofChannel)
      try {
        at(wanted.endutc * 1000 + HOUR)
        const { url, session } = (await play(id)).result
        const lists = await scene.service.app.inject(url)
        const uri = lists.body.split('\n').find((line) => line.startsWith('v')) ?? ''
        const media = await scene.service.app.inject(new URL(uri, `http://x${url}`).pathname)
        expect(media.body).toContain('#EXT-X-ENDLIST')
        const key = /URI="(key\/[0-9a-f]{32})"/.exec(media.body)?.[1] ?? ''
        const address = new URL(key, `http://x${url}`).pathname
        expect((await scene.service.app.inject(address)).statusCode).toBe(200)
        const beat = await scene.service.call(heartbeat, { session, position: 700, event: 'close' })
        expect(beat.status).toBe(200)
        expect(await read(id)).toMatchObject({ state: 'recorded', position: 700 })
      } finally {
        await db.update(channels).set({ enabled: true, goneSince: null }).where(ofChannel)
      }
    })
  })
})

describe.each(DATABASES)('recordings over weeks, on a database of kind %s', (kind) => {
  const { scene, ids, parts, programme, tend, record, list, remove, at } = recordingScene(kind)

  it('A3-32 spec 53: is not seen without its package, comes back with it, and is deleted after 90 days', async () => {
    at(NOON)
    const { db } = scene.service.context
    const { id } = (await record(await programme())).result
    const own = eq(grants.accountId, scene.actor.account.id)
    const hourly = async (days: number) => {
      at(NOON + days * DAY)
      await followHourly(parts(), NOON + days * DAY)
    }
    await db
      .update(grants)
      .set({ endedAt: NOON + DAY })
      .where(own)
    await hourly(2)
    expect((await list()).count).toBe(0)
    expect((await scene.service.call(calls.readRecording, { id }, scene.actor.tokens)).error.code).toBe(-404)
    await db.update(grants).set({ endedAt: null }).where(own)
    await hourly(20)
    expect((await list()).count).toBe(1)
    await db
      .update(grants)
      .set({ endedAt: NOON + 21 * DAY })
      .where(own)
    await hourly(22)
    await hourly(29)
    await db.update(grants).set({ endedAt: null }).where(own)
    expect((await list()).count).toBe(1)
    await db
      .update(grants)
      .set({ endedAt: NOON + 29 * DAY })
      .where(own)
    await hourly(113)
    await db.update(grants).set({ endedAt: null }).where(own)
    expect((await list()).count).toBe(0)
  })

  it('A7.3-12 A2.4-03 are deleted once they are recorded; their media is swept with the last of them', async () => {
    at(NOON)
    const { db } = scene.service.context
    const wanted = await programme('La Houle', 5)
    const own = (await record(wanted)).result
    const other = await scene.make.actor({ packages: { television: {} } })
    const others = (await record(wanted, other)).result
    const entry = and(
      eq(scheduleEntries.channelId, ids.library ?? 0),
      eq(scheduleEntries.startsAt, wanted.startutc * 1000),
    )
    async function later(days: number): Promise<number> {
      at(NOON + days * DAY)
      await tend()
      await followHourly(parts(), NOON + days * DAY)
      await extendSchedules(db, createTrackSetStore(db), NOON + days * DAY)
      return await db.$count(scheduleEntries, entry)
    }
    expect(await later(9)).toBe(1)
    expect((await remove(own.id)).result).toEqual({ outcome: 'deleted' })
    expect(await later(10)).toBe(1)
    const { tokens } = other
    await scene.service.call(calls.removeRecording, { id: others.id }, tokens)
    at(NOON + 10 * DAY + HOUR)
    expect(await later(11)).toBe(0)
  })
})

describe.each(DATABASES)('recordings that are cleaned up, on a database of kind %s', (kind) => {
  const { scene, parts, programme, tend, record, list, remove, at } = recordingScene(kind)

  it('are settled and deleted even if one of them fails', async () => {
    at(NOON)
    const { db } = scene.service.context
    const [first, second, third] = [
      await programme(),
      await programme('Encre'),
      await programme('La Houle', 2),
    ]
    await record(first)
    await record(second)
    const { id } = (await record(third)).result
    await remove(id)
    const later = NOON + DAY
    at(later)
    const own = parts()
    const piecesIn: typeof own.air.piecesIn = async (channelId, from, to) => {
      if (from === first.startutc * 1000) throw new Error('The media cannot be read.')
      return await own.air.piecesIn(channelId, from, to)
    }
    await tendRecordings({ ...own, air: { ...own.air, piecesIn } }, later)
    const settled = await db
      .select({ programmeId: recordedProgrammes.programmeId })
      .from(recordedProgrammes)
      .where(isNotNull(recordedProgrammes.settledAt))
    expect(settled.map(({ programmeId }) => programmeId)).toContain(second.id)
    expect(settled.map(({ programmeId }) => programmeId)).not.toContain(first.id)
    expect(await db.$count(recordings, eq(recordings.id, id))).toBe(0)
  })

  it('stay if they are requested again at the same moment', async () => {
    at(NOON)
    const { id } = (await record(await programme())).result
    await remove(id)
    at(NOON + 61_000)
    const { db } = scene.service.context
    let tending: Promise<void> | undefined
    await db.transaction(async (tx) => {
      await tx.update(recordings).set({ removedAt: null }).where(eq(recordings.id, id))
      tending = tend()
      if (kind === 'postgresql') await untilWaiting(db, 'delete from "recordings"')
    })
    await tending
    expect((await list()).records.map((each) => each.id)).toEqual([id])
  })
})

describe.each(DATABASES)('recordings of a removed title, on a database of kind %s', (kind) => {
  const { scene, programme, tend, record, list, play, at } = recordingScene(kind)

  it('keep a title that is removed from the library, with its media and its rating', async () => {
    at(NOON)
    const { context } = scene.service
    const { db } = context
    const wanted = await programme()
    const child = await scene.make.actor({
      packages: { television: {} },
      profile: { kid: true, maximumMoralityLevel: 2 },
      tokenDays: 400,
    })
    const own = (await record(wanted)).result
    const strong = (await record(await programme('Encre'))).result
    const childs = (await record(wanted, child)).result
    at(NOON + DAY)
    await tend()
    const all = [own.id, strong.id]
    await db.update(assets).set({ availability: 'withdrawn' })
    for (const { id } of await db.select({ id: assets.id }).from(assets))
      await runCommand(scene.service, 'titles remove', [String(id)])
    for (const days of [2, 4, 10]) {
      at(NOON + days * DAY)
      await sweepMedia(context)
      await extendSchedules(db, createTrackSetStore(db), NOON + days * DAY)
    }
    const records = (await list()).records
    expect(records.map(({ id, title, rating }) => [id, title, rating])).toEqual([
      [strong.id, 'Encre', 5],
      [own.id, 'La Houle', 0],
    ])
    for (const id of all) expect((await play(id)).status).toBe(200)
    expect((await play(childs.id, 'start', child)).status).toBe(200)
  })
})
