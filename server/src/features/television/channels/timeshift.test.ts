import { epg, epgEvent, listChannels } from '@ondine/contract/channels'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import { channelStream } from '@ondine/contract/playback'
import { SEGMENT_SECONDS } from '@ondine/media/track-set'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { parse as parseDash } from 'mpd-parser'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../schedule/extend-schedules.ts'

const HOUR = 3600
/**
 * Tolerance for the length of a window, in seconds. A window is one minute longer than the time-shift, and ends on
 * segment boundaries.
 */
const MARGIN = 60 + 5

describe.each(MAIN_DB)('timeshift of library channels, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor
  let unsaid: number
  let own: number
  let relay: number
  let rated: number

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    const { id: second } = await service.context.storefronts.create({ apiKey: 'second', name: 'Second' })
    await replace(second, { live: { timeshiftOttConfig: 900, startOverEnabled: false } })
    actor = await make.actor({ packages: { channels: {} } })
    for (const [title, minutes] of [
      ['La Houle', 50],
      ['Encre', 40],
    ] as const)
      await make.asset(title, { trackSet: buildTrackSet({ seconds: minutes * 60 }) })
    await make.asset('Courte', { trackSet: buildTrackSet({ seconds: 600 }) })
    await make.asset('Nuit', { trackSet: buildTrackSet({ seconds: 600 }), moralityLevel: 5 })
    const films = { kind: 'sequence', titles: ['La Houle', 'Encre'] }
    const inPackages = ['channels']
    unsaid = (await make.channel('Rive', films, { inPackages })).id
    own = (await make.channel('Terra', films, { inPackages, timeshiftSeconds: 600 })).id
    relay = (await make.channel('Ailleurs', films, { inPackages, kind: 'relay' })).id
    rated = (
      await make.channel('Minuit', { kind: 'sequence', titles: ['Courte', 'Nuit', 'Courte'] }, { inPackages })
    ).id
    const { db } = service.context
    await extendSchedules(db, createTrackSetStore(db), NOON - 3 * HOUR * 1000)
  })
  afterEach(async () => await replace(service.context.storefronts.first().id, {}))
  afterAll(async () => await service.remove())

  async function replace(storefront: number, document: ConfigurationDocument): Promise<void> {
    const { configurations } = service.context
    const { revision } = configurations.stored(storefront)
    await configurations
      .document(storefront)
      .replace(revision, { ...document }, { author: 'test', reason: 'test' })
  }

  const configure = async (live: NonNullable<ConfigurationDocument['live']>) =>
    await replace(service.context.storefronts.first().id, { live })

  async function saidOf(idChannel: number, headers: Record<string, string> = {}) {
    const channel = (await service.call(listChannels, {}, headers)).result.find(
      (each) => each.id === idChannel,
    )
    return (
      channel && [
        channel.item.allowTimeshift,
        channel.ottConfiguration.timeshift,
        channel.ottConfiguration.startOver,
      ]
    )
  }

  async function manifest(idChannel: number, format: 'dash' | 'hls', who = actor): Promise<string> {
    const { result } = await service.call(channelStream, { idChannel, format }, who.tokens)
    const { body } = await service.app.inject({ url: result.url })
    if (format === 'dash') return body
    const { variants } = hls.parse(body) as types.MasterPlaylist
    const [base] = result.url.split('main.m3u8')
    return (await service.app.inject({ url: `${base}${variants[0]?.uri}` })).body
  }

  /** Returns the length of the window in a channel's manifests, in seconds. */
  async function heldBy(idChannel: number, who = actor): Promise<{ dash: number; hls: number }> {
    const dash = parseDash(await manifest(idChannel, 'dash', who), { manifestUri: 'http://x/manifest.mpd' })
    const playlist = hls.parse(await manifest(idChannel, 'hls', who)) as types.MediaPlaylist
    return {
      // All films of this test consist of segments of the full length.
      dash: (dash.playlists[0]?.segments?.length ?? 0) * SEGMENT_SECONDS,
      hls: playlist.segments.reduce((sum, { duration }) => sum + duration, 0),
    }
  }

  async function expectHeld(idChannel: number, seconds: number, who = actor): Promise<void> {
    for (const held of Object.values(await heldBy(idChannel, who))) {
      expect(held).toBeGreaterThanOrEqual(seconds)
      expect(held).toBeLessThanOrEqual(seconds + MARGIN)
    }
  }

  it('V1-08 V3-22 V3-47 reaches as far as the channel’s own setting, else its storefront’s, and its manifests cover that', async () => {
    expect(await saidOf(unsaid, actor.tokens)).toEqual([true, HOUR, true])
    expect(await saidOf(own, actor.tokens)).toEqual([true, 600, true])
    await expectHeld(unsaid, HOUR)
    await expectHeld(own, 600)
    await configure({ timeshiftOttConfig: 1800 })
    expect(await saidOf(unsaid, actor.tokens)).toEqual([true, 1800, true])
    await expectHeld(unsaid, 1800)
    await configure({ timeshiftOttConfig: 0 })
    expect(await saidOf(unsaid, actor.tokens)).toEqual([false, 0, false])
    expect(await saidOf(own, actor.tokens)).toEqual([true, 600, true])
    await expectHeld(unsaid, 0)
  })

  it('V3-22 V3-47 a channel’s own setting of none overrides its storefront until it is removed', async () => {
    const { id, number } = await make.channel(
      'Muette',
      { kind: 'sequence', titles: ['La Houle'] },
      { inPackages: ['channels'], timeshiftSeconds: 0 },
    )
    const { db } = service.context
    await extendSchedules(db, createTrackSetStore(db), NOON - 3 * HOUR * 1000)
    const set = async (seconds: string) =>
      await runCommand(service, 'channels set', [String(number)], { timeShift: seconds })
    expect(await saidOf(id, actor.tokens)).toEqual([false, 0, false])
    await expectHeld(id, 0)
    await set('600')
    expect(await saidOf(id, actor.tokens)).toEqual([true, 600, true])
    await set('')
    expect(await saidOf(id, actor.tokens)).toEqual([true, HOUR, true])
    await set('0')
    expect(await saidOf(id, actor.tokens)).toEqual([false, 0, false])
    await expectHeld(id, 0)
  })

  it('differs between storefronts', async () => {
    expect(await saidOf(unsaid)).toEqual([true, HOUR, true])
    expect(await saidOf(unsaid, { 'x-identity-key': 'second' })).toEqual([true, 900, false])
    expect(await saidOf(unsaid)).toEqual([true, HOUR, true])
  })

  it('applies to channels from elsewhere only as their operator sets it', async () => {
    expect(await saidOf(relay)).toEqual([false, 0, false])
  })

  it('reaches no further back than the channel has been on air', async () => {
    const { db } = service.context
    const { id } = await make.channel(
      'Neuve',
      { kind: 'sequence', titles: ['Encre'] },
      { inPackages: ['channels'] },
    )
    await extendSchedules(db, createTrackSetStore(db), NOON)
    await expectHeld(id, 110)
  })

  it('an hour of films still gives a small manifest', async () => {
    expect((await manifest(unsaid, 'dash')).length).toBeLessThan(50_000)
    expect((await manifest(unsaid, 'hls')).length).toBeLessThan(100_000)
  })

  it('A6-07 begins after programmes that the viewer may not see: the player gets every key that its manifest names', async () => {
    const limited = await make.actor({
      packages: { channels: {} },
      profile: { maximumMoralityLevel: 2 },
    })
    // The channel began three hours and two minutes before noon. It repeats a round of half an hour. The middle
    // film of the round has an age rating.
    for (let minutes = 0; minutes < 30; minutes += 5) {
      service.clock.set(NOON + minutes * 60_000)
      const started = await service.call(channelStream, { idChannel: rated, format: 'dash' }, limited.tokens)
      if (started.error.code !== 0) continue
      const { result } = started
      const { body } = await service.app.inject({ url: result.url })
      const kids = [...new Set([...body.matchAll(/cenc:default_KID="([^"]+)"/g)].map(([, kid]) => kid ?? ''))]
      for (const kid of kids) {
        const answer = await service.app.inject({
          method: 'POST',
          url: `/play/${result.session}/licence`,
          payload: JSON.stringify({
            kids: [Buffer.from(kid.replaceAll('-', ''), 'hex').toString('base64url')],
            type: 'temporary',
          }),
        })
        expect(answer.statusCode).toBe(200)
      }
      const { hls: held } = await heldBy(rated, limited)
      expect(held).toBeLessThanOrEqual(20 * 60 + 5)
      await expectHeld(rated, HOUR)
    }
    service.clock.set(NOON)
  })

  it('V1-08 V3-24 a programme can be started over if its channel allows it, and no longer once that is switched off', async () => {
    const startoverOf = async (idChannel: number) => {
      const [programmes = []] = Object.values(
        (await service.call(epg, { start: NOON / 1000, offset: 0, hours: 3, channelIds: [idChannel] }))
          .result,
      )
      const event = await service.call(epgEvent, { idEvent: programmes[0]?.id ?? 0, idChannel })
      const all = [...programmes, event.result.current, ...event.result.showings]
      const here = all.filter(({ id_channel }) => id_channel === idChannel)
      return [...new Set(here.map(({ startoverEnabled }) => startoverEnabled))]
    }
    expect(await startoverOf(unsaid)).toEqual([true])
    await configure({ startOverEnabled: false })
    expect(await startoverOf(unsaid)).toEqual([false])
    expect(await saidOf(unsaid)).toEqual([true, HOUR, false])
    await configure({ timeshiftOttConfig: 0 })
    expect(await startoverOf(unsaid)).toEqual([false])
    expect(await startoverOf(own)).toEqual([true])
  })

  const startAt = async (idChannel: number, start: number, format: 'dash' | 'hls' = 'dash', who = actor) =>
    await service.call(channelStream, { idChannel, format, start }, who.tokens)

  it.each([
    ['in a moment', 5, -1602],
    ['at the end of the time-shift', -HOUR, 0],
    ['before the time-shift', -HOUR - 1, -1602],
    ['at the epoch', -NOON / 1000, -1602],
    ['now', 0, 0],
  ])('V3-47 a start %s is within the time-shift or refused', async (_when, seconds, code) => {
    const { error, result } = await startAt(unsaid, NOON / 1000 + seconds)
    expect(error.code).toBe(code)
    if (code === 0) expect(result.startsAt).toBe(NOON / 1000 + seconds)
  })

  it('V1-08 V4-31 a channel starts where a client requests it, and tells DASH and HLS players where that is', async () => {
    const start = NOON / 1000 - 1234.5
    const { result: dash } = await startAt(unsaid, start)
    expect(dash.startsAt).toBe(start)
    expect(dash.url).toMatch(/\/manifest\.mpd#t=posix:\d+\.5$/)
    expect(Number(dash.url.split('posix:')[1])).toBe(start)
    const live = (await service.call(channelStream, { idChannel: unsaid, format: 'dash' }, actor.tokens))
      .result
    expect([live.startsAt, live.url.includes('#')]).toEqual([null, false])
    // The manifest equals the manifest of a session that starts live, so that the viewer can seek in both
    // directions.
    const bodyOf = async (url: string) => (await service.app.inject({ url: url.split('#')[0] ?? '' })).body
    expect(await bodyOf(dash.url)).toBe(await bodyOf(live.url))

    const { result } = await startAt(unsaid, start, 'hls')
    expect(result.url).not.toContain('#')
    const begins = async (file: string) => {
      const playlist = hls.parse(await bodyOf(result.url.replace('main.m3u8', file))) as types.MediaPlaylist
      const date = playlist.segments[0]?.programDateTime?.getTime() ?? Number.NaN
      return playlist.start && date / 1000 + playlist.start.offset
    }
    for (const file of ['v360.m3u8', 'v720.m3u8', 't-fra.m3u8'])
      expect(await begins(file)).toBeCloseTo(start, 2)
    service.clock.advance(20_000)
    expect(await begins('v720.m3u8')).toBeCloseTo(start, 2)
    // When the window has moved past the start, a player that joins late begins live.
    service.clock.advance(HOUR * 1000)
    expect(await begins('v720.m3u8')).toBeUndefined()
    service.clock.set(NOON)
  })

  it('V3-47 nothing starts in the past without time-shift, before the channel was on air, or on a channel from elsewhere', async () => {
    expect((await startAt(own, NOON / 1000 - 601)).error.code).toBe(-1602)
    await configure({ timeshiftOttConfig: 0 })
    expect((await startAt(unsaid, NOON / 1000 - 1)).error.code).toBe(-1602)
    await configure({})
    const { db } = service.context
    const films = { kind: 'sequence', titles: ['Encre'] }
    const { id } = await make.channel('Jeune', films, { inPackages: ['channels'] })
    await extendSchedules(db, createTrackSetStore(db), NOON)
    expect((await startAt(id, NOON / 1000 - 60)).error.code).toBe(0)
    expect((await startAt(id, NOON / 1000 - 600)).error.code).toBe(-1602)
    const elsewhere = await make.channel('Source', films, {
      inPackages: ['channels'],
      kind: 'relay',
      timeshiftSeconds: 600,
    })
    expect((await startAt(elsewhere.id, NOON / 1000 - 60)).error.code).not.toBe(0)
  })

  it.each(['-1', '1e3', 'now', '', 'NaN', '12:00'])('refuses to start at %j', async (start) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: channelStream.path,
      headers: { ...actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ idChannel: String(unsaid), start }).toString(),
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, -400])
  })

  it('V3-18 a start in the past requires the same rights as live', async () => {
    const start = NOON / 1000 - 60
    expect((await startAt(unsaid, start, 'dash', await make.actor())).error.code).toBe(-1721)
    expect(
      (await service.call(channelStream, { idChannel: unsaid, format: 'dash', start }, {})).error.code,
    ).toBe(-1)
  })

  it('A6-07 never starts in or before a programme that the viewer may not see', async () => {
    const child = await make.actor({
      packages: { channels: {} },
      profile: { kid: true, maximumMoralityLevel: 2 },
    })
    const adult = await make.actor({ packages: { channels: {} }, profile: { maximumMoralityLevel: 2 } })
    // The channel began three hours and two minutes before noon. It repeats a round of half an hour. The film in
    // the middle ten minutes of the round has an age rating.
    const nuit = NOON / 1000 + 9 * 60
    service.clock.set((nuit + 11 * 60) * 1000)
    expect((await startAt(rated, nuit)).error.code).toBe(0)
    expect((await startAt(rated, nuit, 'dash', child)).error.code).toBe(-404)
    expect((await startAt(rated, nuit, 'dash', adult)).error.code).toBe(-1612)
    expect((await startAt(rated, nuit - 10 * 60, 'dash', child)).error.code).toBe(-1602)
    const { error, result } = await startAt(rated, nuit + 10 * 60, 'dash', child)
    expect([error.code, result.startsAt]).toEqual([0, nuit + 10 * 60])
    service.clock.set(NOON)
  })
})
