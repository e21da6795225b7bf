import { randomBytes } from 'node:crypto'
import { link, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { contentData } from '@ondine/contract/catalogue'
import { readAsset } from '@ondine/contract/playback'
import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import {
  assetCategories,
  assets,
  categories,
  medias,
  trackSets,
} from '../../inventory/titles/titles.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage, putAssetInPackage } from '../../rights/entitlements/packages.service.ts'
import { storeSeekPositions } from '../../viewing/playback/seek-positions.ts'
import { takeLibrary } from './library.service.ts'
import { imports } from './library.table.ts'

const { signal } = new AbortController()
const PLAY = { idAudioLang: 'fra', idSubtitleLang: 'fra', format: 'dash' } as const
const film = 'Films/Solo (2020)/Solo (2020).mkv'
const episode = 'Series/Trame/Season 01/Trame S01E01.mkv'

describe.each(MAIN_DB)('a file with another name, on a database of kind %s', { timeout: 120_000 }, (kind) => {
  let service: TestService
  let folder: string
  let viewer: Actor
  const at = (name: string) => join(folder, name)
  const take = async () => await takeLibrary(service.context, folder, { signal })
  const titles = async () =>
    await service.context.db
      .select({ id: assets.id, key: assets.sourceKey, availability: assets.availability })
      .from(assets)
      .orderBy(asc(assets.id))
  const move = async (from: string, to: string) => {
    await mkdir(dirname(at(to)), { recursive: true })
    await rename(at(from), at(to))
  }
  const write = async (name: string, content: string) => {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), content)
  }
  /** Stores media for every waiting file, as if it had been prepared. */
  const prepareAll = async () => {
    const { db, folders } = service.context
    for (const { id, work, fingerprint } of await db
      .select()
      .from(imports)
      .where(eq(imports.state, 'waiting'))) {
      if (!('asset' in work.target)) throw new Error('There is a trailer.')
      const document = buildTrackSet()
      await mkdir(join(folders.media, document.id), { recursive: true })
      await db
        .insert(trackSets)
        .values({ id: document.id, key: randomBytes(16), document, durationSeconds: 60 })
      const [asset] = await db
        .update(assets)
        .set({ availability: 'ready', durationSeconds: 60 })
        .where(eq(assets.sourceKey, work.target.asset))
        .returning()
      const assetId = asset?.id ?? 0
      await db.delete(medias).where(eq(medias.assetId, assetId))
      await db.insert(medias).values({ kind: 'main', assetId, trackSetId: document.id, fingerprint })
      await db.update(imports).set({ state: 'ready' }).where(eq(imports.id, id))
    }
  }
  const idOf = async (key: string) => {
    const found = (await titles()).find((title) => title.key === `${folder}:${key}`)
    if (found === undefined) throw new Error(`There is no title ${key}.`)
    return found.id
  }
  /** Returns whether the title plays for the viewer, its address, and the viewer's position in it. */
  const seenOf = async (idAsset: number) => {
    const { error } = await service.call(readAsset, { idAsset, ...PLAY }, viewer.tokens)
    const { result } = await service.call(contentData, { idAsset }, viewer.tokens)
    if (result.content.type !== 'asset') throw new Error('There is no asset.')
    const { seekTime, path } = result.content.payload
    return { plays: error.code, seekTime, path }
  }

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    folder = join(await mkdtemp(join(tmpdir(), 'ondine-replaced-')), 'library')
    await mkdir(folder)
    viewer = await buildersOf(service.context).actor()
  })
  afterAll(async () => await service.remove())
  beforeEach(async () => {
    await write(film, 'a film')
    await write(episode, 'an episode')
    await take()
    await prepareAll()
    const { db, clock } = service.context
    const packageId = await ensurePackage(db, 'cinema', { fra: 'Cinéma' })
    for (const key of [film, episode]) {
      const assetId = await idOf(key)
      await db.transaction(async (tx) => await putAssetInPackage(tx, packageId, assetId))
      await addGrant(db, {
        accountId: viewer.account.id,
        opens: { assetId },
        source: 'operator',
        sourceId: key,
        from: clock.now() - 1000,
        to: null,
      })
      const { profileId } = viewer
      await storeSeekPositions(db, [{ profileId, assetId, seconds: 2, updatedAt: clock.now() }])
    }
  })
  afterEach(async () => {
    await service.context.db.delete(assets)
    await service.context.db.delete(categories)
    await service.context.db.delete(imports)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
  })

  it.each([
    ['a film with other words after its year', film, 'Films/Solo (2020)/Solo (2020) Bluray-1080p.mkv'],
    ['a film in a renamed folder', film, 'Films/Solo (2020) [tmdbid-7]/Solo.2020.1080p.mkv'],
    ['a film under another title', film, 'Films/Seul (2020)/Seul (2020).mkv'],
    ['an episode', episode, 'Series/Trame/Season 01/Trame - 1x01 - Le fil.mkv'],
    ['an episode that had a wrong number', episode, 'Series/Trame/Season 02/Trame S02E03.mkv'],
    ['an episode of a renamed series', episode, 'Series/Trame (2026)/Season 01/Trame S01E01.mkv'],
  ])('keeps everything that viewers have, and is not prepared again: %s', async (_what, from, to) => {
    const id = await idOf(from)
    const before = await seenOf(id)
    expect(before).toMatchObject({ plays: 0, seekTime: 2 })
    await move(from, to)
    expect(await take()).toMatchObject({ queued: [], withdrawn: 0, problems: [] })
    expect(await idOf(to)).toBe(id)
    expect(await titles()).toHaveLength(2)
    expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
    expect(await take()).toMatchObject({ queued: [], withdrawn: 0 })
  })

  it('keeps titles that were moved out of a folder, which stays there empty', async () => {
    const names = ['Un (2021).mkv', 'Deux (2022).mkv']
    for (const name of names) await write(`Alt/${name}`, name)
    await take()
    await prepareAll()
    const ids = await Promise.all(names.map(async (name) => await idOf(`Alt/${name}`)))
    for (const name of names) await move(`Alt/${name}`, `Neu/${name}`)
    expect(await take()).toMatchObject({ withdrawn: 0, problems: [] })
    expect(await Promise.all(names.map(async (name) => await idOf(`Neu/${name}`)))).toEqual(ids)
  })

  it('keeps the titles of a disk that may be missing, although another one has a film of the same name', async () => {
    const names = ['Un (2021).mkv', 'Deux (2022).mkv']
    for (const name of names) await write(`Disk/${name}`, name)
    await take()
    const ids = await Promise.all(names.map(async (name) => await idOf(`Disk/${name}`)))
    for (const name of names) await rm(at(`Disk/${name}`))
    await write('Other/Un (2021).mkv', 'other content')
    const { withdrawn, problems } = await take()
    expect([withdrawn, problems.map(({ path }) => path)]).toEqual([0, [at('Disk')]])
    expect(await Promise.all(names.map(async (name) => await idOf(`Disk/${name}`)))).toEqual(ids)
  })

  it.each([
    ['a film in its folder', film, 'Films/Solo (2020)/Solo.Remux.mp4'],
    ['a film beside other films', film, 'Films/Solo.2020.2160p.mp4'],
    ['an episode', episode, 'Series/Trame/Season 01/Trame S01E01 Remux.mp4'],
    ['an episode in another folder', episode, 'Series/Trame (2026)/Saison 1/Trame S01E01.mp4'],
  ])('and other content is the same title with new media: %s', async (_what, from, to) => {
    const id = await idOf(from)
    const before = await seenOf(id)
    await rm(dirname(at(from)), { recursive: true })
    await write(to, 'other content')
    const { queued, withdrawn } = await take()
    expect([queued.length, withdrawn]).toEqual([1, 0])
    // The old media plays until the new one is ready.
    expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
    await prepareAll()
    expect(await seenOf(id)).toEqual(before)
    expect(await idOf(to)).toBe(id)
    expect(await titles()).toHaveLength(2)
  })

  it('keeps a series whose folder was renamed', async () => {
    const seriesIds = async () => {
      const rows = await service.context.db.select().from(categories).where(eq(categories.kind, 'series'))
      return rows.map(({ id }) => id)
    }
    const before = await seriesIds()
    await move(episode, 'Series/La Trame (2026)/Season 01/La Trame S01E01.mkv')
    await take()
    expect(await seriesIds()).toEqual(before)
  })

  it('keeps a series whose folder on another disk has its accents and letters in another form', async () => {
    const seriesIds = async () => {
      const rows = await service.context.db.select().from(categories).where(eq(categories.kind, 'series'))
      return rows.map(({ id }) => id)
    }
    const [one, other] = ['Le M\u00E9tier', 'Le me\u0301tier']
    await write(`A/${one}/Season 01/${one} S01E01.mkv`, 'one')
    await take()
    const before = await seriesIds()
    await write(`0/${other}/Season 01/${other} S01E02.mkv`, 'two')
    expect(await take()).toMatchObject({ episodes: 3, withdrawn: 0 })
    expect(await seriesIds()).toEqual(before)
  })

  describe('in a better quality', () => {
    const worse = 'Films/Spider-Man.2002.720p.mkv'
    const better = 'Films/Spider.Man.2002.1080p.mkv'
    beforeEach(async () => {
      await move(film, worse)
      await take()
      await write(better, 'a better film')
    })

    it('is left out, and replaces the film once the operator removes that', async () => {
      const id = await idOf(worse)
      await write('Films/Spider-Man.2002.Extended.mkv', 'an edition')
      await take()
      expect(await take()).toMatchObject({ films: 2, withdrawn: 0, problems: [{ path: at(better) }] })
      expect(await idOf(worse)).toBe(id)
      expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
      await rm(at(worse))
      expect(await take()).toMatchObject({ films: 2, withdrawn: 0, problems: [] })
      expect(await idOf(better)).toBe(id)
      expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
    })

    it('is left out after the library was withdrawn, and after both files have moved', async () => {
      const id = await idOf(worse)
      await take()
      await runCommand(service, 'libraries withdraw', [folder])
      expect(await take()).toMatchObject({ films: 1, problems: [{ path: at(better) }] })
      expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
      for (const name of [worse, better]) await move(name, name.replace('Films', 'Neu'))
      expect(await take()).toMatchObject({ films: 1, withdrawn: 0, queued: [] })
      expect(await idOf(worse.replace('Films', 'Neu'))).toBe(id)
      expect(await titles()).toHaveLength(2)

      const elsewhere = await mkdtemp(join(tmpdir(), 'ondine-elsewhere-'))
      for (const name of [worse, better])
        await rename(at(name.replace('Films', 'Neu')), join(elsewhere, basename(name)))
      const { problems } = await takeLibrary(service.context, elsewhere, { signal })
      expect(problems).toMatchObject([{ path: join(elsewhere, basename(better)) }])
      expect(await titles()).toContainEqual({
        id,
        key: `${elsewhere}:${basename(worse)}`,
        availability: 'ready',
      })
      expect(await titles()).toHaveLength(2)
      await rm(elsewhere, { recursive: true })
    })

    it('stays a title if both were titles before, also when both have moved', async () => {
      const extended = 'Films/Spider-Man.2002.Extended.mkv'
      await move(better, extended)
      await take()
      await prepareAll()
      await move(extended, better)
      expect(await take()).toMatchObject({ films: 2, withdrawn: 0, problems: [] })
      const before = (await titles()).map(({ id }) => id)
      for (const name of [worse, better]) await move(name, name.replace('Films', 'Neu'))
      expect(await take()).toMatchObject({ films: 2, withdrawn: 0, problems: [] })
      expect((await titles()).map(({ id }) => id)).toEqual(before)
    })
  })

  it('is no longer among the films when it becomes an episode, and keeps what viewers have', async () => {
    const shown = async (assetId: number) =>
      await service.context.db.select().from(assetCategories).where(eq(assetCategories.assetId, assetId))
    const name = 'Pilote/Season 01/Pilote - 01.mkv'
    await move(film, 'Pilote/Season 01/Pilote.mkv')
    await take()
    const id = await idOf('Pilote/Season 01/Pilote.mkv')
    expect(await shown(id)).toHaveLength(1)
    await service.context.db
      .update(assets)
      .set({ sourceKey: `${folder}:${name}` })
      .where(eq(assets.id, id))
    await move('Pilote/Season 01/Pilote.mkv', name)
    expect(await take()).toMatchObject({ films: 0, episodes: 2, withdrawn: 0 })
    expect(await idOf(name)).toBe(id)
    expect(await shown(id)).toEqual([])
    expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
  })

  it('takes the series that has titles, of two whose names differ in case', async () => {
    await write('Series/trame/Season 01/Trame S01E02.mkv', 'two')
    const { db } = service.context
    const [first] = await db.select().from(categories).where(eq(categories.sourceKey, 'series:Trame'))
    await db.insert(categories).values({ kind: 'series', sourceKey: 'series:TRAME', names: {}, id: 1 })
    await take()
    const rows = await db.select().from(assets).where(eq(assets.kind, 'episode'))
    expect(rows.map(({ serieId }) => serieId)).toEqual([first?.id, first?.id])
  })

  it('is not compared any more when the import is stopped after it has read the names', async () => {
    const before = await titles()
    const stopping = new AbortController()
    const { clock } = service.context
    const now = () => {
      stopping.abort(new Error('stopped'))
      return clock.now()
    }
    await move(film, 'Films/Solo (2020)/Solo (2020) Remux.mkv')
    const context = { ...service.context, clock: { ...clock, now } }
    await expect(takeLibrary(context, folder, { signal: stopping.signal })).rejects.toThrow('stopped')
    expect(await titles()).toEqual(before)
  })

  it('replaces a title that was withdrawn before', async () => {
    const id = await idOf(film)
    await rm(at(film))
    expect(await take()).toMatchObject({ withdrawn: 1 })
    await write('Films/Solo (2020)/Solo (2020) Remux.mkv', 'other content')
    expect((await take()).queued).toHaveLength(1)
    expect(await titles()).toHaveLength(2)
    expect(await seenOf(id)).toMatchObject({ plays: 0, seekTime: 2 })
  })

  it.each([
    [
      'another film in a folder of films',
      'Films/Solo (2020)/Solo (2020).mkv',
      'Films/Duo (2021)/Duo (2021).mkv',
    ],
    ['another episode', episode, 'Series/Trame/Season 01/Trame S01E02.mkv'],
    ['an episode of another series', episode, 'Series/Chaîne/Season 01/Chaîne S01E01.mkv'],
  ])('and other content is a title of its own if it is %s', async (_what, from, to) => {
    await rm(at(from))
    await write(to, 'other content')
    expect(await take()).toMatchObject({ withdrawn: 1 })
    expect(await titles()).toHaveLength(3)
  })

  it('is found by offers although a withdrawn title has the same name', async () => {
    const id = await idOf(film)
    await rm(at(film))
    await write('Films/Double/Solo (2020) a.mkv', 'one cut')
    await write('Films/Double/Solo (2020) b.mkv', 'another cut')
    await take()
    await prepareAll()
    await rm(at('Films/Double/Solo (2020) b.mkv'))
    await take()
    expect((await titles()).filter(({ availability }) => availability === 'withdrawn')).toHaveLength(2)
    const offers = join(folder, 'offers.yaml')
    await writeFile(offers, 'packages: [{ key: solos, name: { fra: Solos }, titles: [Solo] }]\noffers: []\n')
    await runCommand(service, 'offers import', [offers])
    const current = await idOf('Films/Double/Solo (2020) a.mkv')
    expect(current).not.toBe(id)
    expect((await service.call(readAsset, { idAsset: current, ...PLAY }, viewer.tokens)).error.code).toBe(-11)
  })

  it('of a moved library changes no title, once the operator has told the new folder', async () => {
    const before = await titles()
    const id = await idOf(film)
    const seen = await seenOf(id)
    const elsewhere = `${folder}-elsewhere`
    await rename(folder, elsewhere)
    try {
      await expect(runCommand(service, 'libraries move', [folder, folder])).rejects.toThrow('not a readable')
      await runCommand(service, 'libraries move', [folder, elsewhere])
      expect(await takeLibrary(service.context, elsewhere, { signal })).toMatchObject({
        films: 1,
        episodes: 1,
        queued: [],
        withdrawn: 0,
      })
      expect((await titles()).map((title) => title.id)).toEqual(before.map((title) => title.id))
      expect(await seenOf(id)).toEqual(seen)
      expect(
        (await service.context.db.select().from(imports)).map(({ source }) => source).toSorted(),
      ).toEqual([film, episode].map((name) => join(elsewhere, name)))
      await mkdir(folder)
      await expect(runCommand(service, 'libraries move', [folder, elsewhere])).rejects.toThrow('no title')
      await write('Films/Solo (2020)/Solo (2020).mkv', 'a film')
      await take()
      await expect(runCommand(service, 'libraries move', [elsewhere, folder])).rejects.toThrow(
        'imported before: it has 1 of the titles',
      )
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })

  describe('in another library', () => {
    let elsewhere: string
    const takeElsewhere = async () => await takeLibrary(service.context, elsewhere, { signal })
    const moveTo = async (name: string) => {
      await mkdir(dirname(join(elsewhere, name)), { recursive: true })
      await rename(at(name), join(elsewhere, name))
    }
    beforeEach(async () => {
      elsewhere = await mkdtemp(join(tmpdir(), 'ondine-elsewhere-'))
    })
    afterEach(async () => await rm(elsewhere, { recursive: true }))

    it.each([
      ['a film', film, 'only the new library is imported', []],
      ['a film', film, 'the old library is imported first', ['before']],
      ['a film', film, 'the old library is imported last', ['after']],
      ['an episode', episode, 'the old library is imported first', ['before']],
      ['an episode', episode, 'the old library is imported last', ['after']],
    ])('keeps everything that viewers have: %s (%s), if %s', async (_what, name, _order, taken) => {
      const id = await idOf(name)
      const before = await seenOf(id)
      await moveTo(name)
      if (taken.includes('before')) await take()
      expect(await takeElsewhere()).toMatchObject({
        queued: [],
        problems: [],
        remarks: [{ path: join(elsewhere, name), reason: `moved from ${at(name)}` }],
      })
      if (taken.includes('after')) expect(await take()).toMatchObject({ queued: [], withdrawn: 0 })
      expect(await titles()).toHaveLength(2)
      expect(await titles()).toContainEqual({ id, key: `${elsewhere}:${name}`, availability: 'ready' })
      expect(await seenOf(id)).toEqual(before)
      expect(await takeElsewhere()).toMatchObject({ queued: [], withdrawn: 0, remarks: [] })
    })

    it('keeps a series whose folder was renamed on the way', async () => {
      const seriesIds = async () => {
        const rows = await service.context.db.select().from(categories).where(eq(categories.kind, 'series'))
        return rows.map(({ id }) => id)
      }
      const before = await seriesIds()
      await mkdir(join(elsewhere, 'La Trame/Season 01'), { recursive: true })
      await rename(at(episode), join(elsewhere, 'La Trame/Season 01/La Trame S01E01.mkv'))
      await takeElsewhere()
      expect(await seriesIds()).toEqual(before)
    })

    it.each([
      ['the file is there too', async () => {}],
      ['the folder of its library is missing', async () => await rm(folder, { recursive: true })],
      [
        'the folder of its library is empty',
        async () => {
          await rm(folder, { recursive: true })
          await mkdir(at('lost+found'), { recursive: true })
        },
      ],
    ])('is a title of its own, and sold like the first one, if %s', async (_what, change) => {
      const id = await idOf(film)
      await mkdir(join(elsewhere, dirname(film)), { recursive: true })
      await link(at(film), join(elsewhere, film))
      await change()
      const { remarks } = await takeElsewhere()
      expect(remarks).toMatchObject([
        { path: join(elsewhere, film), reason: expect.stringContaining('cinema') },
      ])
      await prepareAll()
      const copy = (await titles()).find(({ key }) => key === `${elsewhere}:${film}`)
      expect(copy?.id).not.toBe(id)
      expect(await idOf(film)).toBe(id)
      const answer = await service.call(readAsset, { idAsset: copy?.id ?? 0, ...PLAY }, viewer.tokens)
      expect(answer.error.code).toBe(-11)
      expect(await takeElsewhere()).toMatchObject({ remarks: [] })
    })

    it('keeps everything if its library was withdrawn, even if the folder is missing', async () => {
      const id = await idOf(film)
      await moveTo(film)
      await rm(folder, { recursive: true })
      await runCommand(service, 'libraries withdraw', [folder])
      await takeElsewhere()
      expect(await titles()).toContainEqual({ id, key: `${elsewhere}:${film}`, availability: 'ready' })
    })
  })

  it.each([
    ['beside the film', async () => {}],
    [
      'that replaces the film together with another one',
      async () => await rename(at(film), at(`${film}.old`)),
    ],
  ])('is sold like the film if it is a new edition %s', async (_what, change) => {
    await change()
    for (const edition of ['Director’s Cut', 'Extended'])
      await write(`Films/Solo (2020)/Solo (2020) - ${edition}.mkv`, edition)
    const { remarks } = await take()
    expect(remarks).toHaveLength(2)
    await prepareAll()
    for (const edition of ['Director’s Cut', 'Extended']) {
      const idAsset = await idOf(`Films/Solo (2020)/Solo (2020) - ${edition}.mkv`)
      const { error } = await service.call(readAsset, { idAsset, ...PLAY }, viewer.tokens)
      expect(error.code).toBe(-11)
    }
  })

  it('is free if it is a new edition of a free film, or another film in its folder', async () => {
    await write('Free (2021)/Free (2021).mkv', 'free')
    await take()
    await write('Free (2021)/Free (2021) - Extended.mkv', 'longer')
    await write('Films/Solo (2020)/Duo (2021).mkv', 'another film')
    expect(await take()).toMatchObject({ remarks: [] })
    await prepareAll()
    for (const key of ['Free (2021)/Free (2021) - Extended.mkv', 'Films/Solo (2020)/Duo (2021).mkv'])
      expect(await seenOf(await idOf(key))).toMatchObject({ plays: 0 })
  })

  it('is not counted as missing if there are more files than an import reads', async () => {
    const before = await titles()
    await write('A.mkv', 'another film')
    const { withdrawn } = await takeLibrary(service.context, folder, { signal, mostEntries: 1 })
    expect(withdrawn).toBe(0)
    expect(await titles()).toEqual(expect.arrayContaining(before))
  })

  it.each([
    ['inside the library', () => at('Films')],
    ['around it', () => dirname(folder)],
    ['that is a link to it', () => `${folder}-link`],
  ])('is refused in a new library %s, until that one is withdrawn', async (_what, other) => {
    await symlink(folder, `${folder}-link`)
    try {
      const takeOther = async () => await takeLibrary(service.context, `${other()}/`, { signal })
      await expect(takeOther()).rejects.toThrow(`overlaps the library ${folder}`)
      expect(await take()).toMatchObject({ queued: [], withdrawn: 0 })
      const id = await idOf(film)
      await runCommand(service, 'libraries withdraw', [folder])
      const { queued } = await takeOther()
      expect(queued).toEqual([])
      expect((await titles()).filter(({ key }) => key.endsWith('Solo (2020).mkv'))).toEqual([
        expect.objectContaining({ id, key: expect.stringContaining(`${other()}:`), availability: 'ready' }),
      ])
    } finally {
      await rm(`${folder}-link`)
    }
  })

  it('is counted by the list of imports, also if it shows only some of them', async () => {
    const rows = Array.from({ length: 53 }, (_, index) => ({
      kind: 'film' as const,
      source: `/films/${index}.mkv`,
      library: '/films',
      work: { target: { asset: `/films:${index}.mkv` }, media: 'main' as const, subtitles: [] },
      title: `Film ${index}`,
      fingerprint: 'x',
      updatedAt: 0,
    }))
    await service.context.db.insert(imports).values(rows.slice(3))
    expect(await runCommand(service, 'imports list')).not.toContain('more')
    await service.context.db.insert(imports).values(rows.slice(0, 3))
    expect(await runCommand(service, 'imports list')).toContain('Not shown: 3 more that wait.')
  })

  it('is not needed to withdraw all titles of a library', async () => {
    const id = await idOf(film)
    await rm(folder, { recursive: true })
    await expect(take()).rejects.toThrow('not a readable folder')
    await mkdir(folder)
    await expect(take()).rejects.toThrow(`libraries withdraw ${folder}`)
    expect((await seenOf(id)).plays).toBe(0)
    await rm(folder, { recursive: true })
    expect(await runCommand(service, 'libraries withdraw', [folder])).toContain('2 titles withdrawn')
    expect((await service.call(contentData, { idAsset: id }, viewer.tokens)).error.code).toBe(-404)
    expect(await runCommand(service, 'titles remove', [String(id)])).toContain('Removed Solo')
    await expect(runCommand(service, 'libraries withdraw', [folder])).rejects.toThrow('No title')
  })
})
