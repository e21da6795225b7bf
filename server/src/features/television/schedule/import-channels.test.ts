import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg, epgEvent, listChannels } from '@ondine/contract/channels'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { changeChannel } from '../channel-lists/lists.service.ts'
import { ChannelFileError, importChannels, quotedValues } from './channel-import.service.ts'
import { extendSchedules } from './extend-schedules.ts'

describe('importing channels from a file', () => {
  let service: TestService
  let folder: string
  let make: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
    make = buildersOf(service.context)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-channels-'))
    return async () => await rm(folder, { recursive: true, force: true })
  })
  afterAll(async () => await service.remove())

  const rive = {
    number: 1,
    name: 'Rive',
    logo: 'rive.svg',
    description: { fra: 'Le cinéma du soir.', eng: 'Evening cinema.' },
    colours: { background: '#0F3556', foreground: '#8fe9d6' },
    rules: { kind: 'sequence', titles: ['La Houle'], roundTo: null, filler: [] },
  }

  async function take(list: unknown) {
    const path = join(folder, 'channels.json')
    await writeFile(path, typeof list === 'string' ? list : JSON.stringify({ channels: list }))
    await writeFile(
      join(folder, 'rive.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><rect width="256" height="256" fill="#0f3556"/></svg>',
    )
    return await importChannels(service.context, path)
  }

  const list = async () => (await service.call(listChannels, {})).result

  it('imports blocks with their pictures, shows each as one programme, and lists its films', async () => {
    const swell = await make.asset('La Houle', {
      trackSet: buildTrackSet({ seconds: 600 }),
      moralityLevel: 2,
    })
    const ink = await make.asset('Encre', { trackSet: buildTrackSet({ seconds: 420 }), moralityLevel: 4 })
    await writeFile(
      join(folder, 'tides.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 36"><rect width="64" height="36" fill="#123"/></svg>',
    )
    const tides = {
      id: 'tides',
      title: { fra: 'La nuit des marées', eng: 'Night of the Tides' },
      synopsis: { fra: 'Deux films.', eng: 'Two films.' },
      picture: 'tides.svg',
      minutes: 52,
      titles: ['La Houle', 'Encre'],
    }
    const rules = { kind: 'sequence', titles: ['block:tides', 'block:bare'], roundTo: 5 }
    const blocks = [tides, { ...tides, id: 'bare', title: { fra: 'Sans image' }, picture: 'missing.jpg' }]
    const { faults, channelIds } = await take([{ ...rive, rules: { ...rules, blocks } }])
    expect(faults).toEqual([{ channel: 'Rive', reason: expect.stringMatching(/^bare: /) }])
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const [idChannel = 0] = channelIds
    const guide = (
      await service.call(epg, { start: NOON / 1000, offset: 0, hours: 3, channelIds: [idChannel] })
    ).result
    const [first, second] = guide[`chan_${idChannel}`] ?? []
    expect(first).toMatchObject({
      title: 'La nuit des marées',
      synopsis: 'Deux films.',
      idAsset: null,
      rating: 4,
      startoverEnabled: true,
      image: { width: expect.any(Number) },
    })
    expect(first!.duration).toBeGreaterThan(26 * 60)
    expect(second).toMatchObject({ title: 'Sans image', startutc: first!.endutc, image: null })
    const { parts } = (await service.call(epgEvent, { idChannel, idEvent: first!.id })).result
    expect(parts.slice(0, 3).map(({ title, idAsset }) => [title, idAsset])).toEqual([
      ['La Houle', swell.id],
      ['Encre', ink.id],
      ['La Houle', swell.id],
    ])
    expect(Math.floor(parts[0]!.start)).toBe(first!.startutc)
    for (const [index, part] of parts.slice(1).entries()) expect(part.start).toBe(parts[index]!.end)

    // A picture that is added later must also appear on programmes that are already planned.
    await copyFile(join(folder, 'tides.svg'), join(folder, 'late.svg'))
    await take([{ ...rive, rules: { ...rules, blocks: [tides, { ...blocks[1], picture: 'late.svg' }] } }])
    await service.context.connection.changes.settled()
    const again = (
      await service.call(epg, { start: NOON / 1000, offset: 0, hours: 3, channelIds: [idChannel] })
    ).result
    const late = again[`chan_${idChannel}`]?.[1]
    expect(late).toMatchObject({ title: 'Sans image', image: { width: expect.any(Number) } })
    await service.context.db.delete(channels)
  })

  it('imports a live channel with its look and its id in guides, and leaves it live', async () => {
    const { rules: _, ...look } = rive
    const phare = { ...look, number: 5, name: 'Phare', live: true, guide: 'phare.example' }
    expect((await take([phare])).faults).toEqual([])
    const [stored] = await service.context.db.select().from(channels)
    expect(stored).toMatchObject({
      kind: 'live',
      number: 5,
      names: { fra: 'Phare' },
      color: '#0f3556',
      guideId: 'phare.example',
      rules: null,
    })
    expect(stored?.logoImage).not.toBeNull()
    // A repeated import without the guide id keeps the stored id.
    await take([{ ...phare, guide: undefined, description: { fra: 'La mer.' } }])
    const [again] = await service.context.db.select().from(channels)
    expect(again).toMatchObject({
      id: stored?.id,
      guideId: 'phare.example',
      descriptions: { fra: 'La mer.' },
    })
    const other = await take([{ ...rive, number: 5, name: 'Phare' }])
    expect(other).toEqual({
      channelIds: [],
      faults: [{ channel: 'Phare', reason: 'it is a channel of another kind already: live' }],
    })
    await service.context.db.delete(channels)
  })

  it.each([
    ['neither rules nor an input', { rules: undefined }],
    ['both', { live: true }],
    ['an empty id in guides', { live: true, rules: undefined, guide: '' }],
    ['a word for live', { live: 'yes', rules: undefined }],
  ])('leaves out a channel with %s', async (_what, fields) => {
    const { channelIds, faults } = await take([{ ...rive, ...fields }])
    expect(channelIds).toEqual([])
    expect(faults).toMatchObject([{ channel: 'Rive' }])
  })

  it('V1-08 offers no start-over before a gap in what a channel has played', async () => {
    await make.asset('Minute', { trackSet: buildTrackSet({ seconds: 60 }) })
    const { channelIds } = await take([{ ...rive, rules: { kind: 'sequence', titles: ['Minute'] } }])
    const [idChannel = 0] = channelIds
    const store = createTrackSetStore(service.context.db)
    const { db } = service.context
    await extendSchedules(db, store, NOON - 600_000, undefined, 120_000)
    await extendSchedules(db, store, NOON, undefined, 120_000)
    const guide = (
      await service.call(epg, { start: NOON / 1000 - 1200, offset: 0, hours: 1, channelIds: [idChannel] })
    ).result
    const promised = (guide[`chan_${idChannel}`] ?? []).map(({ startutc, startoverEnabled }) => [
      startutc < NOON / 1000 - 300,
      startoverEnabled,
    ])
    expect(promised).toContainEqual([true, false])
    expect(promised).toContainEqual([false, true])
    expect(promised).not.toContainEqual([true, true])
    expect(promised).not.toContainEqual([false, false])
    await db.delete(channels)
  })

  it('names the episodes inside a block with their numbers', async () => {
    const { db } = service.context
    const { id: serieId } = await make.series('Nord')
    await make.asset('Départ', { kind: 'episode', serieId, seasonNumber: 2, episodeNumber: 7 })
    await make.asset('Escale')
    const block = { id: 'north', title: { fra: 'Cap au nord' }, minutes: 52, titles: ['Nord', 'Escale'] }
    const rules = { kind: 'sequence', titles: ['block:north'], blocks: [block] }
    const { channelIds } = await take([{ ...rive, rules }])
    const [idChannel = 0] = channelIds
    await extendSchedules(db, createTrackSetStore(db), NOON)
    const window = { start: NOON / 1000, offset: 0, hours: 1, channelIds: [idChannel] }
    const guide = (await service.call(epg, window)).result
    const idEvent = guide[`chan_${idChannel}`]?.[0]?.id ?? 0
    const { parts } = (await service.call(epgEvent, { idChannel, idEvent })).result
    expect(parts.slice(0, 2)).toMatchObject([
      { title: 'Nord', subtitle: 'Départ', season: 2, episode: 7 },
      { title: 'Escale', subtitle: '', season: null, episode: null },
    ])
    await db.delete(channels)
  })

  it('plays a series from its first episode, and its specials after the last one', async () => {
    const { db } = service.context
    const { id: serieId } = await make.series('Le Métier')
    const episode = async (seasonNumber: number, episodeNumber: number) => {
      const fields = { kind: 'episode' as const, serieId, seasonNumber, episodeNumber }
      return (await make.asset(`${seasonNumber}x${episodeNumber}`, fields)).id
    }
    const [special, first, second] = [await episode(0, 1), await episode(1, 1), await episode(1, 2)]
    const { channelIds } = await take([{ ...rive, rules: { kind: 'sequence', titles: ['Le Métier'] } }])
    await extendSchedules(db, createTrackSetStore(db), NOON)
    const played = await db
      .select({ assetId: scheduleEntries.assetId })
      .from(scheduleEntries)
      .where(eq(scheduleEntries.channelId, channelIds[0] ?? 0))
      .orderBy(asc(scheduleEntries.position))
      .limit(4)
    expect(played.map(({ assetId }) => assetId)).toEqual([first, second, special, first])
    await db.delete(channels)
  })

  it('imports name, number, texts, colour, logo and rules, and creates no second channel when repeated', async () => {
    const first = await take([rive])
    expect(first).toEqual({ channelIds: [expect.any(Number)], faults: [] })
    expect(await list()).toMatchObject([
      {
        name: 'Rive',
        synopsis: 'Le cinéma du soir.',
        color: '#0f3556',
        logoImage: { url: expect.stringMatching(/^\/images\//), width: expect.any(Number) },
        item: { lcn: 1 },
      },
    ])
    await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 1200 }) })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const planned = await service.context.db.select().from(scheduleEntries)
    expect(planned.length).toBeGreaterThan(100)
    const again = await take([{ ...rive, number: 5, description: { fra: 'Autre chose.' } }])
    expect(again.channelIds).toEqual(first.channelIds)
    expect(await list()).toMatchObject([{ synopsis: 'Autre chose.', item: { lcn: 5 } }])
    expect(await service.context.db.select().from(scheduleEntries)).toEqual(planned)
    await service.context.db.delete(channels)
  })

  it('renames a channel that has its former name in the file, and removes a channel by the command', async () => {
    const [id = 0] = (await take([rive])).channelIds
    const quai = { ...rive, name: 'Quai', formerly: 'Rive' }
    for (const file of [[quai], [quai]]) expect(await take(file)).toEqual({ channelIds: [id], faults: [] })
    expect(await list()).toMatchObject([{ name: 'Quai', item: { lcn: 1 } }])
    // A refused entry does not rename its channel.
    await take([quai, { ...rive, name: 'Baie', number: 5 }])
    const refused = {
      channelIds: [],
      faults: [{ channel: 'Rade', reason: 'number 5 belongs to another channel' }],
    }
    expect(await take([{ ...rive, name: 'Rade', formerly: 'Quai', number: 5 }])).toEqual(refused)
    expect(await take([quai])).toEqual({ channelIds: [id], faults: [] })
    await service.context.db.delete(channels).where(eq(channels.number, 5))
    // A name that is in use is not taken from its channel.
    const { channelIds } = await take([{ ...rive, number: 2 }, quai])
    expect(channelIds).toEqual([expect.any(Number), id])

    await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 1200 }) })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const remove = async (number: string, options = {}) =>
      await runCommand(service, 'channels remove', [number], options)
    expect(await remove('1')).toBe(
      'Found Quai. Recorded programmes: 0, events: 0. --yes deletes it. This cannot be undone.',
    )
    expect(await list()).toHaveLength(2)
    expect(await remove('1', { yes: true })).toBe('Removed Quai.')
    expect((await list()).map(({ name }) => name)).toEqual(['Rive'])
    await expect(remove('1', { yes: true })).rejects.toThrow('There is no channel 1.')
    expect((await take([{ ...rive, name: 'Baie', number: 1 }])).faults).toEqual([])
    await service.context.db.delete(channels)
  })

  it('V3-47 imports how far back a channel may be watched, and keeps the value where the file has none', async () => {
    const reach = async () => (await list()).map(({ ottConfiguration }) => ottConfiguration.timeshift)
    await take([{ ...rive, timeShift: 600 }])
    expect(await reach()).toEqual([600])
    await take([rive])
    expect(await reach()).toEqual([600])
    await take([{ ...rive, timeShift: null }])
    expect(await reach()).toEqual([3600])
    await take([{ ...rive, timeShift: 0 }])
    expect(await reach()).toEqual([0])
    await take([rive])
    expect(await reach()).toEqual([0])
    for (const timeShift of [-1, 86_401, 1.5, '600']) {
      const { faults } = await take([{ ...rive, timeShift }])
      expect(faults, String(timeShift)).toMatchObject([
        { channel: 'Rive', reason: expect.stringMatching(/^timeShift /) },
      ])
    }
    await service.context.db.delete(channels)
  })

  it('keeps the values that an operator has set by hand', async () => {
    await take([rive])
    await changeChannel(service.context, 1, { number: 7, timeshiftSeconds: 120, free: true })
    await take([{ ...rive, timeShift: 600, genre: 'Cinéma' }])
    expect(await list()).toMatchObject([
      { mainGenre: 'Cinéma', item: { lcn: 7, isFta: true }, ottConfiguration: { timeshift: 120 } },
    ])
    await changeChannel(service.context, 7, null)
    await take([{ ...rive, timeShift: 600 }])
    expect(await list()).toMatchObject([
      { item: { lcn: 1, isFta: false }, ottConfiguration: { timeshift: 600 } },
    ])
    await service.context.db.delete(channels)
  })

  it('V3-23 reads tags as the quoted values of a text, or as a list', async () => {
    expect(quotedValues('{"sport","direct"} and "x y" but not z')).toEqual(['sport', 'direct', 'x y'])
    await take([
      { ...rive, tags: '"sport","direct"' },
      { ...rive, name: 'Terra', number: 2, tags: ['nature'] },
    ])
    expect((await list()).map(({ tags }) => tags)).toEqual([['sport', 'direct'], ['nature']])
    await service.context.db.delete(channels)
  })

  it('imports the valid channels and lists the others with their reason', async () => {
    const { channelIds, faults } = await take([
      rive,
      { ...rive, name: 'Same number' },
      { ...rive, name: 'No rules', number: 3, rules: { kind: 'chaos' } },
      { ...rive, name: 'Outside', number: 4, logo: '../../etc/passwd' },
      { ...rive, name: 'No logo', number: 5, logo: 'missing.svg' },
      {
        ...rive,
        name: 'Strange zone',
        number: 6,
        rules: { kind: 'dayparts', timeZone: 'Mars', dayparts: [{ from: '00:00', titles: ['A'] }] },
      },
      'nothing',
      // Commands for channels take numbers of up to six digits too.
      { ...rive, name: 'Largest number', number: 999_999 },
      { ...rive, name: 'Huge number', number: 1_000_000 },
    ])
    // A channel without its logo is still imported.
    expect(channelIds).toHaveLength(4)
    expect(faults.map(({ channel }) => channel)).toEqual([
      'Same number',
      'No rules',
      'Outside',
      'No logo',
      'Strange zone',
      'number 7 of the file',
      'Huge number',
    ])
    for (const { reason } of faults) expect(reason.length).toBeGreaterThan(5)
    await service.context.db.delete(channels)
  })

  it('refuses a file that is not a channel list', async () => {
    for (const bad of ['', 'nonsense', '[]', '{"channels":3}']) {
      await expect(take(bad)).rejects.toThrow(ChannelFileError)
    }
    await expect(importChannels(service.context, join(folder, 'missing.json'))).rejects.toThrow(
      ChannelFileError,
    )
  })
})
