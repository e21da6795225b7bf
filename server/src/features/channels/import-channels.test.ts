import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../test/builders.ts'
import { NOON, startTestService, type TestService } from '../../../test/service.ts'
import { createTrackSetStore } from '../playback/track-sets.service.ts'
import { channels, scheduleEntries } from './channels.table.ts'
import { extendSchedules } from './extend-schedules.ts'
import { ChannelFileError, importChannels, quotedValues } from './import-channels.ts'
import { changeChannel } from './lists.service.ts'

describe('importing channels', () => {
  let service: TestService
  let folder: string

  beforeAll(async () => {
    service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
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

  it('takes name, number, words, colour, logo and rules, and again without a second channel', async () => {
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
    const make = buildersOf(service.context)
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

  it('V3-47 takes how far back a channel may be watched, and keeps what was said where the file does not', async () => {
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

  it('changes nothing that an operator has set by hand', async () => {
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

  it('takes the good ones and lists the rest with its reason', async () => {
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
    ])
    // A channel without its logo is a channel all the same.
    expect(channelIds).toHaveLength(3)
    expect(faults.map(({ channel }) => channel)).toEqual([
      'Same number',
      'No rules',
      'Outside',
      'No logo',
      'Strange zone',
      'number 7 of the file',
    ])
    for (const { reason } of faults) expect(reason.length).toBeGreaterThan(5)
    await service.context.db.delete(channels)
  })

  it('refuses what is no list of channels', async () => {
    for (const bad of ['', 'nonsense', '[]', '{"channels":3}']) {
      await expect(take(bad)).rejects.toThrow(ChannelFileError)
    }
    await expect(importChannels(service.context, join(folder, 'missing.json'))).rejects.toThrow(
      ChannelFileError,
    )
  })
})
