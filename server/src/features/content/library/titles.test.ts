import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { epg } from '@ondine/contract/channels'
import { channelStream } from '@ondine/contract/playback'
import { search } from '@ondine/contract/search'
import { eq, inArray } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories, images, trackSets } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { importEditorial } from '../../viewing/editorial/editorial-import.service.ts'
import { seekPositions } from '../../viewing/playback/playback.table.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'
import { favourites } from '../favourites/favourites.table.ts'
import { putImport } from './library.repository.ts'
import { takeLibrary } from './library.service.ts'
import { imports } from './library.table.ts'
import { sweepMedia } from './sweep-media.ts'

describe.each(MAIN_DB)('titles without files, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind)
  })
  afterAll(async () => await service.remove())

  const remove = async (id: number) => await runCommand(service, 'titles remove', [String(id)])
  const withdraw = async (...ids: number[]) =>
    await service.context.db.update(assets).set({ availability: 'withdrawn' }).where(inArray(assets.id, ids))

  it('are removed permanently: their entry, what viewers stored about them, their pictures and their media', async () => {
    const { db, folders } = service.context
    const build = buildersOf(service.context)
    const picture = (id: string) => ({ id, width: 10, height: 10, color: '#123456' })
    await db.insert(images).values(['own', 'shared', 'english', 'same'].map((name) => picture(name)))
    const { id, trackSet } = await build.asset('La Houle', {
      sourceKey: 'films:houle.mkv',
      posterImage: 'own',
      backgroundImage: 'shared',
      localImages: { eng: { poster: 'english', logo: 'same' } },
    })
    const other = await build.asset('Récif', {
      backgroundImage: 'shared',
      localImages: { deu: { logo: 'same' } },
    })
    const media = trackSet?.id ?? ''
    await mkdir(join(folders.media, media), { recursive: true })
    await writeFile(join(folders.media, media, '1.m4s'), 'x')
    const { profileId } = await build.actor()
    const kept = [id, other.id].map((assetId) => ({ profileId, assetId }))
    await storeSeekPositions(
      db,
      kept.map((each) => ({ ...each, seconds: 20, updatedAt: service.clock.now() })),
    )
    await db.insert(favourites).values(kept)
    const file = {
      kind: 'film' as const,
      source: '/films/houle.mkv',
      library: 'films',
      work: { target: { asset: 'films:houle.mkv' }, media: 'main' as const, subtitles: [] },
      title: 'La Houle',
      fingerprint: 'x',
    }
    await putImport(db, file, service.clock.now())

    // The files still exist, so the next import would create the title again.
    await expect(remove(id)).rejects.toThrow('is in its library')
    expect(await runCommand(service, 'titles list')).toBe('')
    await withdraw(id)
    expect(await runCommand(service, 'titles list')).toBe(`${id} La Houle (films:houle.mkv)`)
    expect(await remove(id)).toContain('Removed La Houle.')
    await expect(remove(id)).rejects.toThrow(`There is no title ${id}.`)
    await expect(runCommand(service, 'titles remove', ['x'])).rejects.toThrow('is not the number of a title')

    const left = async () => ({
      assets: (await db.select().from(assets)).map((row) => row.id),
      positions: (await db.select().from(seekPositions)).map((row) => row.assetId),
      favourites: (await db.select().from(favourites)).map((row) => row.assetId),
      images: (await db.select().from(images)).map((row) => row.id).toSorted(),
      imports: await db.$count(imports),
    })
    expect(await left()).toEqual({
      assets: [other.id],
      positions: [other.id],
      favourites: [other.id],
      images: ['same', 'shared'],
      imports: 0,
    })
    const words = { term: 'houle', type: 'all', count: 10, itemsPerPage: 10, page: 1 } as const
    expect((await service.call(search, words)).result.items).toEqual([])

    // Viewers can continue to watch the title for a day.
    await sweepMedia(service.context)
    expect(await readdir(folders.media)).toContain(media)
    service.clock.advance(25 * 3600_000)
    await sweepMedia(service.context)
    expect(await readdir(folders.media)).not.toContain(media)
    expect(await db.$count(trackSets, eq(trackSets.id, media))).toBe(0)
  })

  it('are removed with their season and their series if they are the last episode', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    const series = await build.series('Le Métier')
    const season = async (number: number) => {
      const [row] = await db
        .insert(categories)
        .values({ kind: 'season', sourceKey: `series:Le Métier/${number}`, parentId: series.id, names: {} })
        .returning()
      return row?.id ?? 0
    }
    const seasons = [await season(1), await season(2)]
    const episodes: number[] = []
    for (const [index, seasonId] of seasons.entries()) {
      const { id } = await build.asset(`Épisode ${index}`, { kind: 'episode', serieId: series.id, seasonId })
      episodes.push(id)
    }
    const [first = 0, second = 0] = episodes
    await withdraw(first, second)
    const left = async () =>
      (
        await db
          .select()
          .from(categories)
          .where(inArray(categories.id, [series.id, ...seasons]))
      ).map(({ id }) => id)
    await remove(first)
    expect(new Set(await left())).toEqual(new Set([series.id, seasons[1]]))
    await remove(second)
    expect(await left()).toEqual([])
  })

  const picturesLeft = async () => (await service.context.db.select().from(images)).map(({ id }) => id)

  it('are removed with the pictures of seasons that never had an episode', async () => {
    const { db } = service.context
    const build = buildersOf(service.context)
    await db.insert(images).values({ id: 'announced', width: 10, height: 10, color: '#123456' })
    const { id: parentId } = await build.series('Les Phares')
    const season = { kind: 'season' as const, sourceKey: 'series:Les Phares/2', names: {} }
    await db.insert(categories).values({ ...season, parentId, posterImage: 'announced' })
    const { id } = await build.asset('Le Feu', { kind: 'episode', serieId: parentId })
    await withdraw(id)
    await remove(id)
    expect(await db.$count(categories, eq(categories.sourceKey, season.sourceKey))).toBe(0)
    expect(await picturesLeft()).not.toContain('announced')
  })

  it('keep pictures that a text uses', async () => {
    const { storefronts } = service.context
    const before = await picturesLeft()
    const folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    await mkdir(join(folder, 'article'))
    await sharp({ create: { width: 640, height: 360, channels: 3, background: '#336699' } })
      .png()
      .toFile(join(folder, 'article', 'vague.png'))
    const text = '---\ntitle: La mer\n---\n\nElle monte.\n\n![Une vague](vague.png)\n'
    await writeFile(join(folder, 'article', 'mer.fra.md'), text)
    const { signal } = new AbortController()
    await importEditorial(service.context, folder, { storefront: storefronts.first(), signal })
    await rm(folder, { recursive: true })
    const told = (await picturesLeft()).filter((id) => !before.includes(id))
    expect(told).toHaveLength(1)
    const { id } = await buildersOf(service.context).asset('Écume', { posterImage: told[0] ?? null })
    await withdraw(id)
    await remove(id)
    expect(await picturesLeft()).toEqual(expect.arrayContaining(told))
  })

  it('A6-08 keep their rating on a channel: it asks for the code, and children do not see the programme', async () => {
    const { db, connection } = service.context
    const build = buildersOf(service.context)
    const { id } = await build.asset('Interférences', { adult: true })
    const { id: idChannel } = await build.channel('Nuit', { kind: 'sequence', titles: ['Interférences'] })
    await extendSchedules(db, createTrackSetStore(db), service.clock.now())
    const grownUp = await build.actor()
    const child = await build.actor({ profile: { kid: true } })
    const announced = async (tokens: Tokens) => {
      const start = Math.floor(service.clock.now() / 1000)
      const { result } = await service.call(epg, { start, offset: 0, hours: 1 }, tokens)
      return (result[`chan_${idChannel}`] ?? []).map(({ title, isBlurred, isNeedParentalCode }) => [
        title,
        isBlurred,
        isNeedParentalCode,
      ])
    }
    const seen = async () => ({
      code: (await service.call(channelStream, { idChannel, format: 'dash' }, grownUp.tokens)).error.code,
      toGrownUp: (await announced(grownUp.tokens))[0],
      toChild: (await announced(child.tokens))[0],
    })
    await connection.changes.settled()
    const before = await seen()
    expect(before).toMatchObject({ code: -1612, toGrownUp: ['Interférences', true, true] })
    await withdraw(id)
    await remove(id)
    await connection.changes.settled()
    expect(await seen()).toEqual(before)
  })

  it.each([
    { rated: { moralityLevel: 0 }, codes: { grownUp: 0, limited: 0, child: 0 } },
    { rated: { moralityLevel: 4 }, codes: { grownUp: 0, limited: -1612, child: -404 } },
  ])('A6-09 ask nobody for more than before on a channel: $rated.moralityLevel', async ({ rated, codes }) => {
    const { db, connection } = service.context
    const build = buildersOf(service.context)
    const titles = [`Écume ${rated.moralityLevel}`, `Ressac ${rated.moralityLevel}`]
    const [film, filler] = titles
    const trackSet = buildTrackSet({ seconds: 280 })
    const { id } = await build.asset(film ?? '', { ...rated, trackSet })
    const trailer = await build.asset(filler ?? '', { ...rated, trackSet: buildTrackSet({ seconds: 20 }) })
    const { id: idChannel } = await build.channel(
      `Jour ${rated.moralityLevel}`,
      { kind: 'sequence', titles: [film], filler: [filler], roundTo: 5 },
      { number: 100 + rated.moralityLevel },
    )
    await extendSchedules(db, createTrackSetStore(db), service.clock.now())
    const viewers = {
      grownUp: await build.actor(),
      limited: await build.actor({ profile: { maximumMoralityLevel: 2 } }),
      child: await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } }),
    }
    const begin = async ({ tokens }: Actor) =>
      await service.call(channelStream, { idChannel, format: 'dash' }, tokens)
    const asked = async () => ({
      grownUp: (await begin(viewers.grownUp)).error.code,
      limited: (await begin(viewers.limited)).error.code,
      child: (await begin(viewers.child)).error.code,
    })
    const keysOf = async (session: string) => {
      const kid = Buffer.from(trackSet.encryption?.keyId ?? '', 'hex').toString('base64url')
      const payload = JSON.stringify({ kids: [kid], type: 'temporary' })
      const answer = await service.app.inject({ method: 'POST', url: `/play/${session}/licence`, payload })
      return answer.json<{ keys?: unknown[] }>().keys?.length
    }
    const onAir = async (kind: 'programme' | 'filler') => {
      const entries = await db.select().from(scheduleEntries).where(eq(scheduleEntries.channelId, idChannel))
      const entry = entries.find((each) => each.kind === kind && each.startsAt > service.clock.now())
      service.clock.set((entry?.startsAt ?? 0) + 1000)
    }
    await onAir('programme')
    const { result } = await begin(await build.actor())
    expect(await asked()).toEqual(codes)
    expect(await keysOf(result.session)).toBe(1)

    await withdraw(id, trailer.id)
    await remove(id)
    await remove(trailer.id)
    await connection.changes.settled()
    expect(await asked()).toEqual(codes)
    expect(await keysOf(result.session)).toBe(1)
    await onAir('filler')
    expect(await asked()).toEqual(codes)
  })

  describe('removed during their import', () => {
    const series = 'Series/Les Feux'
    const files = {
      film: 'Films/Brume (2026)/Brume (2026).mkv',
      poster: 'Films/Brume (2026)/poster.png',
      background: 'Films/Brume (2026)/fanart.png',
      seriesPoster: `${series}/poster.png`,
      seasonPoster: `${series}/season01-poster.png`,
      episode: `${series}/Season 01/Les Feux S01E01.mkv`,
      thumbnail: `${series}/Season 01/Les Feux S01E01-thumb.png`,
      second: `${series}/Season 01/Les Feux S01E02.mkv`,
    }
    let folder: string
    let count = 0

    const paint = async (name: string) => {
      const background = { r: ++count, g: 100, b: 150 }
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await sharp({ create: { width: 60 + count, height: 40, channels: 3, background } })
        .png()
        .toFile(path)
    }
    /** Imports the folder. Calls `meanwhile` when the import reads the picture `name`. */
    const take = async (name = '', meanwhile: () => Promise<unknown> = async () => undefined) => {
      const { images: store } = service.context
      const storeLater: typeof store.store = async (path) => {
        if (path === join(folder, name)) await meanwhile()
        return await store.store(path)
      }
      const { signal } = new AbortController()
      const context = { ...service.context, images: { ...store, store: storeLater } }
      return await takeLibrary(context, folder, { signal })
    }
    const ofFolder = async () =>
      (await service.context.db.select().from(assets)).filter(({ sourceKey }) => sourceKey.includes(folder))
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ondine-titles-'))
      for (const name of Object.values(files)) {
        if (name.endsWith('.png')) await paint(name)
        else {
          await mkdir(dirname(join(folder, name)), { recursive: true })
          await writeFile(join(folder, name), 'x')
        }
      }
    })
    afterAll(async () => await rm(folder, { recursive: true, force: true }))

    it.each([
      ['a series before its season is taken', files.seasonPoster],
      ['a series before its episode is taken', files.thumbnail],
      ['a film with its pictures', files.background],
    ])('are imported again: %s', async (_what, at) => {
      const { db } = service.context
      const taken = { films: 1, episodes: 2, problems: [] }
      expect(await take()).toMatchObject(taken)
      await withdraw(...(await ofFolder()).map(({ id }) => id))
      await paint(at)
      const removeAll = async () => {
        for (const { id, availability } of await ofFolder())
          if (availability === 'withdrawn') await remove(id)
      }
      expect(await take(at, removeAll)).toMatchObject(taken)

      const after = await ofFolder()
      expect(after.map(({ availability }) => availability)).toEqual(['preparing', 'preparing', 'preparing'])
      const episodes = after.filter(({ kind: of }) => of === 'episode')
      const [season] = await db
        .select()
        .from(categories)
        .where(eq(categories.id, episodes[0]?.seasonId ?? 0))
      expect(season).toMatchObject({ kind: 'season', parentId: episodes[0]?.serieId })
      expect(episodes.map(({ seasonId }) => seasonId)).toEqual([season?.id, season?.id])
      expect(after.find(({ kind: of }) => of === 'film')?.posterImage).not.toBeNull()
    })
  })
})
