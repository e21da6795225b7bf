import { homeContent } from '@ondine/contract/catalogue'
import { epg, epgGrid, listChannels } from '@ondine/contract/channels'
import type { InputOf } from '@ondine/contract/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { startChannelJobs } from '../schedule/channel-jobs.ts'
import { extendSchedules } from '../schedule/extend-schedules.ts'

const NOW = NOON / 1000
const HOUR = 3600

describe.each(MAIN_DB)('channels and their guide, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let cinema: { id: number }
  let series: { id: number }
  let free: { id: number }

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    const trackSet = (minutes: number) => buildTrackSet({ seconds: minutes * 60 })
    await make.asset('La Houle', {
      trackSet: trackSet(50),
      descriptions: { fra: 'Une gardienne de phare.', eng: 'A lighthouse keeper.' },
      titles: { fra: 'La Houle', eng: 'The Swell' },
      genres: ['Drame', 'Poésie'],
      year: 2026,
    })
    await make.asset('Ville basse', { trackSet: trackSet(70), moralityLevel: 4, adult: false })
    const metier = await make.series('Le Métier')
    for (const [season, episode] of [
      [2, 1],
      [1, 2],
      [1, 1],
    ] as const) {
      await make.asset(`Episode ${season}.${episode}`, {
        kind: 'episode',
        trackSet: trackSet(20),
        serieId: metier.id,
        seasonNumber: season,
        episodeNumber: episode,
        lastEpisodeNumber: season === 2 ? 2 : null,
      })
    }
    const trailer = buildTrackSet({ seconds: 120, encrypted: false })
    await make.asset('With trailer', { trackSet: trackSet(50), trailer })
    cinema = await make.channel(
      'Rive',
      { kind: 'sequence', titles: ['The Swell', 'Ville basse'] },
      {
        number: 7,
        inPackages: ['channels'],
        tags: ['cinéma', 'soir'],
        mainGenre: 'Cinéma',
        descriptions: { fra: 'Des films.', eng: 'Films.' },
        color: '#0f3556',
      },
    )
    series = await make.channel(
      'Terra',
      { kind: 'sequence', titles: ['Le Métier'] },
      { number: 3, inPackages: ['channels'] },
    )
    free = await make.channel(
      'Onde',
      { kind: 'sequence', titles: ['With trailer'], roundTo: 60, filler: ['With trailer'] },
      { number: 12, free: true, inPackages: ['channels'] },
    )
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
  })
  afterAll(async () => await service.remove())

  const list = async (actor?: Actor) => (await service.call(listChannels, {}, actor?.tokens ?? {})).result
  const guide = async (
    input: Partial<Parameters<typeof service.call<typeof epg>>[1]> = {},
    actor?: Actor,
  ) => {
    const { result, error } = await service.call(
      epg,
      { start: NOW, offset: 0, hours: 24, ...input },
      actor?.tokens ?? {},
    )
    expect(error.code).toBe(0)
    return result
  }

  it('V3-21 V3-22 V3-23 V7-09 lists channels by number with all their fields', async () => {
    const channels = await list()
    expect(channels.map(({ item }) => item.lcn)).toEqual([3, 7, 12])
    expect(channels[1]).toEqual({
      id: cinema.id,
      idChannel: cinema.id,
      title: 'Rive',
      name: 'Rive',
      synopsis: 'Des films.',
      metadatas: { LOCALIZE_NUMBER: 7, channel_name: 'Rive' },
      moralityLevel: 0,
      tags: ['cinéma', 'soir'],
      mainGenre: 'Cinéma',
      isNeedParentalCode: false,
      isFavorite: false,
      isIncludedInUserOffers: false,
      logoImage: null,
      color: '#0f3556',
      detailRoute: `/channel/rive-${cinema.id}`,
      item: {
        type: 'library',
        allowTimeshift: true,
        lcn: 7,
        isRadio: false,
        allowRecording: true,
        isFta: false,
        localizeNumber: 7,
        parentalControl: false,
      },
      ottConfiguration: { startOver: true, timeshift: 3600 },
    })
  })

  it('V3-18 tells which channels the viewer’s packages include; a free channel is included for every account', async () => {
    const included = async (actor?: Actor) =>
      (await list(actor)).map(({ isIncludedInUserOffers }) => isIncludedInUserOffers)
    expect(await included()).toEqual([false, false, false])
    expect(await included(await make.actor())).toEqual([false, false, true])
    expect(await included(await make.actor({ packages: { channels: {} } }))).toEqual([true, true, true])
  })

  it('V1-03 V3-26 V7-10 returns the guide by channel, without gaps between programmes', async () => {
    const all = await guide()
    expect(Object.keys(all).sort()).toEqual([cinema, series, free].map(({ id }) => `chan_${id}`).sort())
    for (const programmes of Object.values(all)) {
      expect(programmes[0]?.startutc).toBeLessThanOrEqual(NOW)
      expect(programmes.at(-1)?.endutc).toBeGreaterThanOrEqual(NOW + 24 * HOUR)
      for (const [index, programme] of programmes.slice(1).entries()) {
        expect(programme.startutc).toBe(programmes[index]?.endutc)
      }
    }
  })

  it('V3-24 returns all fields of a programme, in the language of the call', async () => {
    const [programme] = (await guide({ channelIds: [cinema.id] }))[`chan_${cinema.id}`] ?? []
    expect(programme).toEqual({
      id: expect.any(Number),
      id_channel: cinema.id,
      universal_id: `${cinema.id}-0`,
      title: 'La Houle',
      subtitle: '',
      synopsis: 'Une gardienne de phare.',
      genre: 'Drame',
      duration: 3000,
      startutc: NOW - 120,
      endutc: NOW + 2880,
      startoverEnabled: true,
      timeshiftEnabled: true,
      npvrEnabled: true,
      rating: 0,
      isBlurred: false,
      isNeedParentalCode: false,
      image: null,
      idAsset: expect.any(Number),
      direct_metadata: {
        TS_STARTUTC: NOW - 120,
        TS_ENDUTC: NOW + 2880,
        TS_DURATION: 50,
        MORALITY_LEVEL: 0,
        TS_PRODYEAR: 2026,
      },
    })
    const english = await service.app.inject({
      method: 'POST',
      url: '/proxy/epg',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `languageId=eng&start=${NOW}&channelIds=[${cinema.id}]`,
    })
    expect(english.json().result[`chan_${cinema.id}`][0]).toMatchObject({
      title: 'The Swell',
      synopsis: 'A lighthouse keeper.',
    })
  })

  it('names the programmes of a series after the series, with its episodes in order', async () => {
    const programmes = (await guide({ channelIds: [series.id], hours: 1 }))[`chan_${series.id}`] ?? []
    expect(programmes.slice(0, 3).map(({ title, subtitle }) => [title, subtitle])).toEqual([
      ['Le Métier', 'Episode 1.1'],
      ['Le Métier', 'Episode 1.2'],
      ['Le Métier', 'Episode 2.1'],
    ])
    expect(programmes[2]?.direct_metadata).toMatchObject({
      AD_SERIESEA: 2,
      AD_SERIESEP: 1,
      AD_SERIESEPEND: 2,
      AD_SURTITLE: 'Le Métier',
    })
  })

  it('shows no filler: a programme lasts until the next one begins', async () => {
    const programmes = (await guide({ channelIds: [free.id], hours: 6 }))[`chan_${free.id}`] ?? []
    expect(new Set(programmes.map(({ title }) => title))).toEqual(new Set(['With trailer']))
    for (const { startutc } of programmes.slice(1)) expect(startutc % HOUR).toBe(0)
    for (const { duration } of programmes.slice(1)) expect(duration).toBe(HOUR)
  })

  it('V7-10 returns the requested window: start, offset in days, hours, channels', async () => {
    const tomorrow =
      (await guide({ offset: 1, hours: 2, channelIds: [series.id] }))[`chan_${series.id}`] ?? []
    expect(tomorrow[0]?.endutc).toBeGreaterThan(NOW + 24 * HOUR)
    expect(tomorrow.at(-1)?.startutc).toBeLessThan(NOW + 26 * HOUR)
    expect(await guide({ channelIds: [] })).toEqual({})
    expect(await guide({ channelIds: [999_999] })).toEqual({})
    expect(await guide({ start: NOW + 30 * 24 * HOUR })).toEqual({})
    const { error } = await service.call(epg, { start: NOW, offset: 31, hours: 0 })
    expect(error.details?.fields?.map(({ field }) => field)).toEqual(['offset', 'hours'])
  })

  it.each([epg, epgGrid])('V7-36 $name returns hours of a day that begins at midnight', async (operation) => {
    const channelIds = [series.id]
    const answer = async (window: Partial<InputOf<typeof epg>>) =>
      (await service.call(operation as typeof epg, { offset: 0, hours: 24, channelIds, ...window })).result
    const midnight = NOW - 12 * HOUR
    const wanted = await answer({ start: NOW, hours: 6 })
    expect(await answer({ midnight, startHour: 12, endHour: 18 })).toEqual(wanted)
    expect(await answer({ midnight: midnight + 24 * HOUR, startHour: -12, endHour: -6 })).toEqual(wanted)
    expect(await answer({ midnight, endHour: 18 })).toEqual(await answer({ start: midnight, hours: 18 }))
    expect(await answer({ midnight })).toEqual(await answer({ start: midnight, hours: 24 }))
  })

  it('hides programmes above a child’s level, and asks adults with a lower level for the code', async () => {
    const titles = async (actor: Actor) =>
      new Set(
        ((await guide({ channelIds: [cinema.id] }, actor))[`chan_${cinema.id}`] ?? []).map(
          ({ title }) => title,
        ),
      )
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    expect(await titles(child)).toEqual(new Set(['La Houle']))
    const adult = await make.actor({ profile: { maximumMoralityLevel: 2 } })
    const programmes = (await guide({ channelIds: [cinema.id] }, adult))[`chan_${cinema.id}`] ?? []
    expect(programmes.find(({ title }) => title === 'Ville basse')?.isNeedParentalCode).toBe(true)
    const rated = await make.channel('Late', { kind: 'sequence', titles: ['La Houle'] }, { moralityLevel: 5 })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    expect((await list(child)).map(({ id }) => id)).not.toContain(rated.id)
    expect(Object.keys(await guide({}, child))).not.toContain(`chan_${rated.id}`)
    expect((await list(adult)).find(({ id }) => id === rated.id)?.isNeedParentalCode).toBe(true)
  })

  it('V7-06 home shows the current programme of each channel', async () => {
    const rails = (await service.call(homeContent, {})).result
    const live = rails.find((rail) => rail.kind === 'live')
    const onNow = live?.items.flatMap((item) => (item.type === 'channel' ? [item] : [])) ?? []
    const cinemaItem = onNow.find(({ payload }) => payload.id === cinema.id)
    expect(cinemaItem?.programme).toMatchObject({ title: 'La Houle' })
  })

  it('schedules channels in a job, at once and each minute', async () => {
    const channel = await make.channel('Job', { kind: 'sequence', titles: ['La Houle'] })
    await startChannelJobs(service.context)
    await expect
      .poll(
        async () =>
          (await service.context.db.select().from(scheduleEntries)).filter(
            ({ channelId }) => channelId === channel.id,
          ).length,
        { timeout: 20_000 },
      )
      .toBeGreaterThan(40)
  })
})
