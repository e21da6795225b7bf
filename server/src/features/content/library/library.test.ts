import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { contentData, hierarchy, homeContent } from '@ondine/contract/catalogue'
import type { Asset, Category } from '@ondine/contract/entities'
import { importProgress } from '@ondine/contract/library'
import { listAssetTags } from '@ondine/contract/playback'
import { asc, eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { doctorSays, runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { commandLine } from '../../../ingest/command-line.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import {
  assetCategories,
  assets,
  categories,
  medias,
  trackSets,
} from '../../inventory/titles/titles.table.ts'
import { PREPARE, queueImports } from './import-queue.service.ts'
import { importCommand } from './library.commands.ts'
import { cancelImport, listImports } from './library.repository.ts'
import { importLibrary, LibraryError, takeLibrary } from './library.service.ts'
import { prepareMedia } from './prepare-media.ts'
import { sweepMedia } from './sweep-media.ts'

const { signal } = new AbortController()
const WITHIN = { timeout: 30_000 }
const film = 'Films/La Houle (2026)/La Houle (2026)'
const episode = 'Series/Le Métier/Season 01/Le Métier S01E01'

describe.each(MAIN_DB)('importing a folder, on a database of kind %s', { timeout: 300_000 }, (kind) => {
  let service: TestService
  let folder: string
  const at = (name: string): string => join(folder, name)
  const importAgain = async () => await importLibrary(service.context, folder, { signal })
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), content)
  }

  beforeAll(async () => {
    service = await startTestService(kind, { DEMO: true, CATALOGUE_CACHE_SECONDS: 0 })
    folder = await mkdtemp(join(tmpdir(), 'ondine-library-'))
    for (const name of [film, episode, 'Films/Bad'])
      await mkdir(dirname(at(`${name}.x`)), { recursive: true })
    const chapters = at('chapters.txt')
    await writeFile(
      chapters,
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=2\ntitle=Intro\n[CHAPTER]\nTIMEBASE=1/1\nSTART=2\nEND=5\ntitle=Le large\n',
    )
    await ffmpeg([
      ...picture({ seconds: 5 }),
      ...tone(5),
      ...commandLine`-i ${chapters} -map 0:v -map 1:a -map_metadata 2 -map_chapters 2 -metadata:s:a:0 language=fre`,
      ...copyable,
      ...stereo,
      at(`${film}.mp4`),
    ])
    await rm(chapters)
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, at(`${film}-trailer.mp4`)])
    await ffmpeg([...picture({ seconds: 6 }), ...tone(6), ...copyable, ...stereo, at(`${episode}.mkv`)])
    await write('Films/Bad/Bad.mp4', 'no film at all')
    await write(
      'Films/La Houle (2026)/movie.nfo',
      '<movie><title>La Houle</title><plot>Un phare.</plot><mpaa>10+</mpaa><genre>Drame</genre><tag>phare</tag><ratings><rating max="10"><value>8</value></rating></ratings></movie>',
    )
    await write(
      `${film}.en.nfo`,
      '<movie><title>The Swell</title><plot>A lighthouse.</plot><tag>lighthouse</tag></movie>',
    )
    await write(`${film}.fr.srt`, '1\n00:00:01,000 --> 00:00:02,000\nBonjour\n')
    await write('Series/Le Métier/tvshow.nfo', '<tvshow><title>Le Métier</title><mpaa>12</mpaa></tvshow>')
    await write(`${episode}.nfo`, '<episodedetails><title>La trame</title></episodedetails>')
    await write('Films/La Houle (2026)/logo.svg', 'no picture')
    await sharp({ create: { width: 200, height: 300, channels: 3, background: '#204060' } }).toFile(
      at('Films/La Houle (2026)/poster.jpg'),
    )
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const find = async (title: string) => {
    const rows = await service.context.db.select().from(assets)
    const row = rows.find(({ titles }) => Object.values(titles).includes(title))
    if (row === undefined) throw new Error(`There is no asset ${title}.`)
    return row
  }
  const mediaOf = async (assetId: number, role: 'main' | 'trailer' = 'main') => {
    const rows = await service.context.db.select().from(medias).where(eq(medias.assetId, assetId))
    return rows.find((row) => row.kind === role)
  }
  const shown = async (title: string): Promise<Asset> => {
    const { result } = await service.call(contentData, { idAsset: (await find(title)).id })
    if (result.content.type !== 'asset') throw new Error('There is no asset.')
    return result.content.payload
  }

  it('imports films, series, trailers, texts and artwork, and lists what it refused', async () => {
    const done = await importAgain()
    expect(done).toMatchObject({ films: 2, episodes: 1, ready: 3, withdrawn: 0 })
    expect(done.failed).toMatchObject([{ source: at('Films/Bad/Bad.mp4'), reason: 'notMedia' }])
    expect(done.problems.map(({ path }) => path)).toEqual([at('Films/La Houle (2026)/logo.svg')])

    const asset = await shown('La Houle')
    expect(asset).toMatchObject({
      title: 'La Houle',
      description: 'Un phare.',
      durationInSeconds: 5,
      moralityLevel: 2,
      availability: { state: 'ready', percent: 100 },
      logoImage: null,
      directMetadata: {
        TS_PRODYEAR: 2026,
        AD_SCORPUBL: 4,
        AD_LIGENRES: 'Drame',
        TAGS: 'phare',
        AD_LIASMEDI: 'fra/non, fra/fra',
      },
    })
    expect(asset.posterImage).toMatchObject({ width: 200, height: 300 })
    expect(asset.trailer).not.toBeNull()
    const english = await service.call(contentData, { idAsset: asset.idAsset, languageId: 'eng' } as never)
    expect(english.result.content.payload).toMatchObject({
      title: 'The Swell',
      description: 'A lighthouse.',
      directMetadata: { TAGS: 'lighthouse' },
    })

    const { result: tags } = await service.call(listAssetTags, { idAsset: asset.idAsset })
    expect(tags.tags.map(({ type }) => type)).toEqual(['intro'])
    expect(tags.chapters.map(({ label }) => label)).toContain('Le large')
  })

  it('encrypts films and episodes, each with its own key, and leaves trailers clear', async () => {
    const { db, folders } = service.context
    const rows = await db.select().from(trackSets)
    const main = await mediaOf((await find('La Houle')).id)
    const trailer = await mediaOf((await find('La Houle')).id, 'trailer')
    const keyOf = (id?: string) => rows.find((row) => row.id === id)?.key
    expect(keyOf(main?.trackSetId)).toHaveLength(16)
    expect(keyOf(trailer?.trackSetId)).toBeNull()
    expect(new Set(rows.flatMap(({ key }) => (key ? [key.toString('hex')] : []))).size).toBe(2)
    expect((await readdir(folders.media)).sort()).toEqual(
      ['.database', '.making', ...rows.map(({ id }) => id)].sort(),
    )
  })

  it('gives series their seasons and episodes', async () => {
    const row = await find('La trame')
    expect(row).toMatchObject({ kind: 'episode', seasonNumber: 1, episodeNumber: 1, moralityLevel: 3 })
    const { result: tree } = await service.call(hierarchy, {})
    const all = (categories: Category[]): Category[] =>
      categories.flatMap((one) => [one, ...all(one.categories)])
    const named = all(tree).map(({ name, isSerie, isSeason }) => [name, isSerie, isSeason])
    expect(named).toEqual(
      expect.arrayContaining([
        ['Films', false, false],
        ['Séries', false, false],
        ['Le Métier', true, false],
        ['Saison 1', false, true],
        ['Drame', false, false],
      ]),
    )
    const { result: rails } = await service.call(homeContent, {})
    expect(rails.map(({ title }) => title)).toEqual(expect.arrayContaining(['Films', 'Séries']))
  })

  it('shows its progress to everyone who watches a demonstration', async () => {
    const { result } = await service.call(importProgress, {})
    expect(result).toMatchObject({ running: false, ready: 3, total: 4, percent: 100 })
    const bad = result.items.find(({ title }) => title === 'Bad')
    expect(bad).toMatchObject({ state: 'failed', reason: 'Ce n’est pas un fichier vidéo d’un format connu.' })
  })

  it('again without changes changes nothing', async () => {
    const before = await mediaOf((await find('La Houle')).id)
    const done = await importAgain()
    expect(done.queued).toHaveLength(1)
    expect(done.failed).toHaveLength(1)
    expect(done.ready).toBe(0)
    expect(await mediaOf((await find('La Houle')).id)).toEqual(before)
  })

  it('again with changed metadata changes only that', async () => {
    const { id, validFrom } = await find('La Houle')
    const before = await mediaOf(id)
    await write(
      'Films/La Houle (2026)/movie.nfo',
      '<movie><title>La Houle, deuxième</title><mpaa>TP</mpaa><genre>Nature</genre></movie>',
    )
    service.clock.advance(60_000)
    await importAgain()
    const after = await find('La Houle, deuxième')
    expect(after).toMatchObject({
      id,
      validFrom,
      moralityLevel: 0,
      genres: ['Nature'],
      availability: 'ready',
      durationSeconds: 5,
    })
    expect(await mediaOf(id)).toEqual(before)
  })

  it('V7-04 orders genres by their names in each language, however a film lists them', async () => {
    await write(
      'Films/La Houle (2026)/movie.nfo',
      '<movie><title>La Houle, deuxième</title><mpaa>TP</mpaa><genre>Nature</genre><genre>Court métrage</genre><genre>Action</genre></movie>',
    )
    await importAgain()
    const genresIn = async (language: string) => {
      const { result } = await service.call(hierarchy, { languageId: language } as never)
      return result.map(({ name }) => name).filter((name) => !['Films', 'Séries', 'Series'].includes(name))
    }
    expect(await genresIn('fra')).toEqual(['Action', 'Court métrage', 'Nature'])
    expect(await genresIn('eng')).toEqual(['Action', 'Nature', 'Short film'])
  })

  it('again with another subtitle makes a new TrackSet of the same media, and keeps the old one for current viewers', async () => {
    const { db, folders, clock } = { ...service.context, clock: service.clock }
    const { id } = await find('La Houle, deuxième')
    const before = await mediaOf(id)
    await write(`${film}.en.vtt`, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n')
    const done = await importAgain()
    expect(done.ready).toBe(1)
    const after = await mediaOf(id)
    expect(after?.id).toBe(before?.id)
    expect(after?.trackSetId).not.toBe(before?.trackSetId)
    expect(after?.subtitleLanguages).toEqual(['eng', 'fra'])
    expect(await readdir(folders.media)).toContain(before?.trackSetId)
    const keyOf = async (trackSetId?: string) =>
      (await db.select().from(trackSets)).find((row) => row.id === trackSetId)?.key
    expect(await keyOf(after?.trackSetId)).toEqual(await keyOf(before?.trackSetId))
    const segment = async (trackSetId?: string) =>
      await stat(join(folders.media, trackSetId ?? '', 'v180', '1.m4s'))
    expect((await segment(after?.trackSetId)).ino).toBe((await segment(before?.trackSetId)).ino)
    expect((await find('La Houle, deuxième')).marks).toHaveLength(2)

    expect(await sweepMedia(service.context)).toBe(0)
    clock.advance(23 * 3600_000)
    expect(await sweepMedia(service.context)).toBe(0)
    clock.advance(2 * 3600_000)
    await sweepMedia(service.context)
    // The service also sweeps in the background, so the TrackSet may be removed a moment later.
    await expect.poll(async () => await readdir(folders.media)).not.toContain(before?.trackSetId)
    expect(await readdir(folders.media)).toContain(after?.trackSetId)
    expect(
      await db
        .select()
        .from(trackSets)
        .where(eq(trackSets.id, before?.trackSetId ?? '')),
    ).toEqual([])
  })

  it('again with another video makes a new TrackSet with its own key', async () => {
    const { db, folders } = service.context
    const { id } = await find('La Houle, deuxième')
    const before = await mediaOf(id)
    await ffmpeg([...picture({ seconds: 9 }), ...tone(9), ...copyable, ...stereo, at(`${film}.mp4`)])
    expect((await importAgain()).ready).toBe(1)
    const after = await mediaOf(id)
    expect(after?.id).toBe(before?.id)
    expect((await shown('La Houle, deuxième')).durationInSeconds).toBe(9)
    const rows = await db.select().from(trackSets)
    const keyOf = (trackSetId?: string) => rows.find((row) => row.id === trackSetId)?.key?.toString('hex')
    expect(keyOf(after?.trackSetId)).toHaveLength(32)
    expect(keyOf(after?.trackSetId)).not.toBe(keyOf(before?.trackSetId))
    expect(await readdir(folders.media)).toContain(before?.trackSetId)
  })

  it('withdraws missing titles, and shows them again when they return, without encoding', async () => {
    const { id } = await find('La trame')
    const before = await mediaOf(id)
    await rename(at(`${episode}.mkv`), at('kept.bin'))
    expect(await importAgain()).toMatchObject({ withdrawn: 1 })
    expect((await find('La trame')).availability).toBe('withdrawn')
    expect((await service.call(contentData, { idAsset: id })).error.code).toBe(-404)
    await rename(at('kept.bin'), at(`${episode}.mkv`))
    expect(await importAgain()).toMatchObject({ withdrawn: 0, ready: 0 })
    expect((await find('La trame')).availability).toBe('ready')
    expect(await mediaOf(id)).toEqual(before)
  })

  it('withdraws nothing if the whole folder is missing or empty, as when a disk is missing', async () => {
    await rename(folder, `${folder}-away`)
    await expect(importAgain()).rejects.toThrow(LibraryError)
    await mkdir(folder)
    await expect(importAgain()).rejects.toThrow('Is a disk missing?')
    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
    expect((await find('La trame')).availability).toBe('ready')
  })

  it('withdraws nothing of a folder that has become empty, until the folder is removed', async () => {
    await mkdir(at('Disk'))
    for (const name of ['Une', 'Deux'])
      await ffmpeg([...picture({ seconds: 1 }), ...copyable, at(`Disk/${name}.mkv`)])
    await importAgain()
    await rename(at('Disk'), `${folder}-disk`)
    await mkdir(at('Disk'))
    const { withdrawn, problems } = await importAgain()
    expect(withdrawn).toBe(0)
    expect(problems).toContainEqual({
      path: at('Disk'),
      reason: expect.stringContaining('is a disk missing?'),
    })
    expect((await find('Une')).availability).toBe('ready')
    await rm(at('Disk'), { recursive: true })
    expect((await importAgain()).withdrawn).toBe(2)
    await rm(`${folder}-disk`, { recursive: true })
  })

  it('can be cancelled and started again', async () => {
    await ffmpeg([
      ...picture({ size: '1280x720', seconds: 30 }),
      ...commandLine`-c:v libx264 -preset ultrafast -g 999`,
      at('Films/Long.mp4'),
    ])
    const { db, clock } = service.context
    const cancelLong = async (): Promise<void> => {
      const long = (await listImports(db, 50)).find((row) => row.title === 'Long')
      if (long) await cancelImport(db, long.id, clock.now())
    }
    const cancelled = await importLibrary(service.context, folder, {
      signal,
      onProgress: ({ title, titlePercent }) => {
        if (title === 'Long' && titlePercent > 2) void cancelLong()
      },
    })
    expect(cancelled.ready).toBe(0)
    expect((await listImports(db, 50)).find(({ title }) => title === 'Long')).toMatchObject({
      state: 'cancelled',
    })
    const making = join(service.context.folders.media, '.making')
    await vi.waitFor(async () => expect(await readdir(making)).toEqual([]), { timeout: 60_000 })
    const again = await takeLibrary(service.context, folder, { signal })
    expect(again.queued).toHaveLength(2)
    await rm(at('Films/Long.mp4'))
    await importAgain()
    expect((await listImports(db, 50)).find(({ title }) => title === 'Long')).toMatchObject({
      state: 'cancelled',
    })
  })

  it('shows no trailer whose file was deleted, and shows it again when it returns', async () => {
    const { id } = await find('La Houle, deuxième')
    const before = await mediaOf(id, 'trailer')
    expect((await shown('La Houle, deuxième')).trailer).not.toBeNull()
    await rename(at(`${film}-trailer.mp4`), at('kept.bin'))
    // A link is not followed, so it is unknown whether there is a trailer.
    await symlink(at('kept.bin'), at(`${film}-trailer.mp4`))
    await importAgain()
    expect(await mediaOf(id, 'trailer')).toEqual(before)

    await rm(at(`${film}-trailer.mp4`))
    expect(await importAgain()).toMatchObject({ withdrawn: 0 })
    expect(await mediaOf(id, 'trailer')).toBeUndefined()
    expect(await mediaOf(id)).toBeDefined()
    expect((await shown('La Houle, deuxième')).trailer).toBeNull()
    await sweepMedia(service.context)
    service.clock.advance(25 * 3600_000)
    await sweepMedia(service.context)
    const { media } = service.context.folders
    await expect.poll(async () => await readdir(media)).not.toContain(before?.trackSetId)

    await rename(at('kept.bin'), at(`${film}-trailer.mp4`))
    expect(await importAgain()).toMatchObject({ ready: 1 })
    expect((await shown('La Houle, deuxième')).trailer).not.toBeNull()
  })

  it('keeps the trailer of a series that another library has, until it is deleted there', async () => {
    const trailer = at('Series/Le Métier/Le Métier-trailer.mp4')
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, trailer])
    await importAgain()
    const trailers = async () => {
      const rows = await service.context.db.select().from(medias)
      return rows.filter(({ categoryId }) => categoryId !== null).length
    }
    expect(await trailers()).toBe(1)
    const other = await mkdtemp(join(tmpdir(), 'ondine-library-'))
    await mkdir(join(other, 'Le Métier/Season 02'), { recursive: true })
    await writeFile(join(other, 'Le Métier/Season 02/Le Métier S02E01.mkv'), '')
    await takeLibrary(service.context, other, { signal, announcesEmpty: true })
    expect(await trailers()).toBe(1)
    // A second folder of the series in the same library has no trailer either.
    await write('More/Le Métier/Season 03/Le Métier S03E01.mkv', '')
    await importAgain()
    expect(await trailers()).toBe(1)
    await rm(trailer)
    await importAgain()
    expect(await trailers()).toBe(0)
    await rm(other, { recursive: true })
  })
})

describe.each(MAIN_DB)('a name in a library, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  const put = async (...files: string[]): Promise<void> => {
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), '')
    }
  }
  const take = async () => await takeLibrary(service.context, folder, { signal, announcesEmpty: true })

  beforeAll(async () => {
    service = await startTestService(kind)
  })
  afterAll(async () => await service.remove())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-names-'))
    await put(`${film}.mp4`, 'Films/Aube (2025)/Aube (2025).mp4', `${episode}.mkv`)
    expect(await take()).toMatchObject({ films: 2, episodes: 1, withdrawn: 0, problems: [] })
  })
  afterEach(async () => await rm(folder, { recursive: true, force: true }))

  it.each([
    ['Show S01E01.mkv', { films: 2, problems: 1 }],
    ['Films/Show S01E01.mkv', { films: 2, problems: 1 }],
    ['Films/Saison 1/Show S01E01.mkv', { films: 2, problems: 1 }],
    ['Films/S21 - La machine de mort Khmère rouge (2003)/film.mkv', { films: 3, problems: 0 }],
    ['Films/La Houle (2026)/Bonus/making-of.mkv', { films: 2, problems: 0 }],
  ])('withdraws no other title: %s', async (file, { films, problems }) => {
    await put(file)
    const taken = await take()
    expect(taken).toMatchObject({ films, episodes: 1, withdrawn: 0 })
    expect(taken.problems.map(({ path }) => path)).toEqual(problems === 0 ? [] : [join(folder, file)])
  })

  it('of a series without episodes is no title: nothing is withdrawn if no other is left', async () => {
    await rm(join(folder, 'Films'), { recursive: true })
    await put('Series/Le Métier/tvshow.nfo')
    await rename(join(folder, `${episode}.mkv`), join(folder, 'Series/Le Métier/Season 01/La trame.mkv'))
    await expect(take()).rejects.toThrow('Nothing was withdrawn. Left out (1 of 1): ')
    const rows = await service.context.db.select().from(assets)
    expect(rows.filter(({ sourceKey }) => sourceKey.startsWith(folder))).toHaveLength(3)
    expect(rows.map(({ availability }) => availability)).not.toContain('withdrawn')
  })
})

describe.each(MAIN_DB)('a file on the list, on a database of kind %s', { timeout: 300_000 }, (kind) => {
  // Background jobs are not started, so nothing else processes the imports.
  let service: TestService
  let folder: string
  let path: string

  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-library-'))
    path = join(folder, 'Growing.mkv')
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, path])
    await sharp({ create: { width: 200, height: 300, channels: 3, background: '#204060' } }).toFile(
      join(folder, 'Growing-poster.jpg'),
    )
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })
  const queued = async () => (await takeLibrary(service.context, folder, { signal })).queued

  it('waits when the disk becomes full, says why, and fails at the third attempt', async () => {
    const [id = 0] = await queued()
    const programs = await mkdtemp(join(tmpdir(), 'ondine-programs-'))
    const search = process.env.PATH ?? ''
    const says = "echo 'av_interleaved_write_frame(): No space left on device' >&2"
    await writeFile(join(programs, 'ffmpeg'), `#!/bin/sh\n${says}\nexit 1\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${programs}${delimiter}${search}`)
    const attempts = []
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        attempts.push(await prepareMedia(service.context, id, signal))
        if (attempt === 0)
          expect(await runCommand(service, 'imports list')).toContain(
            `${id} waiting 0 % Growing (${path}) The disk is full.`,
          )
      }
    } finally {
      vi.unstubAllEnvs()
      await rm(programs, { recursive: true })
    }
    expect(attempts).toEqual(['postponed', 'postponed', 'failed'])
    expect(await runCommand(service, 'imports list')).toMatch(
      new RegExp(`${id} failed \\d+ % Growing .* The disk is full\\.`),
    )
    expect(await queued()).toEqual([id])
  })

  it('does not begin while the disk has too little space for it, however long that takes', async () => {
    const [id = 0] = await queued()
    const full = { ...service.context, freeBytes: async () => (await stat(path)).size }
    for (let attempt = 0; attempt < 5; attempt++)
      expect(await prepareMedia(full, id, signal)).toBe('postponed')
    expect(await runCommand(service, 'imports list')).toMatch(
      new RegExp(`${id} waiting 0 % Growing .* The disk is full\\. \\d+ MB must be free in `),
    )
    expect(await queued()).toEqual([id])
  })

  it('waits again if it changes during its preparation', async () => {
    const [id = 0] = await queued()
    // The worker reads the clock at its start and at its first report. At the second reading, in the middle of the
    // work, this clock changes the file.
    let asked = 0
    const now = () => {
      if (++asked === 2) appendFileSync(path, Buffer.alloc(10))
      return service.clock.now()
    }
    expect(await prepareMedia({ ...service.context, clock: { now } }, id, signal)).toBe('changed')
    expect(await prepareMedia(service.context, id, signal)).toBe('ready')
    expect(await queued()).toEqual([])
  })

  it('is prepared again, with its picture, once the stores have lost both; doctor counts them before', async () => {
    const { db, folders, images } = service.context
    const segment = async () => {
      const [media] = await db.select().from(medias)
      return await service.app.inject({ url: `/media/${media?.trackSetId}/v180/1.m4s` })
    }
    expect(await doctorSays(service)).not.toContain('missing entries')
    expect((await segment()).statusCode).toBe(200)
    const [title] = await db.select().from(assets)
    for (const store of [folders.media, folders.images])
      for (const name of await readdir(store))
        if (!name.startsWith('.')) await rm(join(store, name), { recursive: true })
    const said = await doctorSays(service)
    expect(said).toContain('✗ store media: missing entries that the database names: 1.')
    expect(said).toMatch(/✗ store images: missing entries that the database names: \d\./)
    await expect(runCommand(service, 'doctor')).rejects.toThrow('of the checks failed')
    expect((await segment()).statusCode).toBe(404)

    const [id = 0] = await queued()
    expect(await prepareMedia(service.context, id, signal)).toBe('ready')
    expect((await segment()).statusCode).toBe(200)
    expect(await images.original(title?.posterImage ?? '')).toBeDefined()
    expect(await doctorSays(service)).not.toContain('missing entries')
    expect(await queued()).toEqual([])
  })
})

it('tries one file each minute while the disk is full, and the command says why', async () => {
  const service = await startTestService()
  const { db } = service.context
  const folder = await mkdtemp(join(tmpdir(), 'ondine-full-'))
  const stopping = new AbortController()
  try {
    for (const name of ['Aube', 'Brise', 'Houle'])
      await writeFile(join(folder, `${name}.mkv`), 'not a film at all')
    let free = 0
    const context = { ...service.context, freeBytes: async () => free }
    const said: string[] = []
    const importing = importCommand.run(
      context,
      { arguments: [folder], options: { language: 'eng' } },
      { signal: stopping.signal, report: ({ text }) => said.push(text) },
    )
    importing.catch(() => {})
    const attempts = async () =>
      (await listImports(db, 50)).reduce((sum, { attempts: ofFile }) => sum + ofFile, 0)
    const pending = async () => {
      const jobs = sql`select id from jobs.job where name = ${PREPARE} and state < 'completed'`
      return (await rowsOf(db, jobs)).length
    }
    const waiting = () => said.filter((text) => text.startsWith('waiting: '))
    for (const minute of [1, 2]) {
      await expect.poll(attempts, WITHIN).toBe(minute)
      await queueImports(context)
      await expect.poll(pending, WITHIN).toBe(0)
      expect(await attempts()).toBe(minute)
      service.clock.advance(60_000)
      await queueImports(context)
    }
    await expect.poll(pending, WITHIN).toBe(0)
    await expect.poll(waiting, WITHIN).toEqual([expect.stringMatching(/\.mkv: The disk is full\. 1 MB must/)])

    free = Number.POSITIVE_INFINITY
    service.clock.advance(60_000)
    await queueImports(context)
    await importing
    expect(said.filter((text) => text.startsWith('not imported: '))).toHaveLength(3)
    expect(waiting()).toHaveLength(1)
  } finally {
    stopping.abort()
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
})

it('hides the progress of an operator’s own library', async () => {
  const service = await startTestService()
  const { status, error } = await service.call(importProgress, {})
  expect([status, error.code]).toEqual([403, -403])
  await service.remove()
})

it('announces a film to come by an empty file in the demonstration, and refuses empty files elsewhere', async () => {
  const service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'ondine-empty-'))
  try {
    const file = join(folder, 'Aube (2026)', 'Aube (2026).mp4')
    await mkdir(dirname(file))
    await writeFile(file, '')
    await takeLibrary(service.context, folder, { signal, announcesEmpty: true })
    const [coming] = await service.context.db.select().from(assets)
    expect(coming?.titles).toEqual({ fra: 'Aube' })
    const { result } = await service.call(contentData, { idAsset: coming?.id ?? 0 })
    expect(result.content.payload).toMatchObject({ availability: { state: 'preparing', percent: 0 } })
    expect(await service.context.db.$count(medias)).toBe(0)
    const { failed } = await importLibrary(service.context, folder, { signal })
    expect(failed.map(({ source }) => source)).toEqual([file])
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
})

it('V3-06 title art replaces the title for readers of its language', async () => {
  const service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'ondine-title-art-'))
  const series = join(folder, 'Series/Weaving')
  const files = {
    'Films/The Swell (2026)/The Swell (2026).mp4': '',
    'Films/The Swell (2026)/movie.nfo': '<movie><title>The Swell</title></movie>',
    'Films/The Swell (2026)/movie.fr.nfo': '<movie><title>La Houle</title></movie>',
    'Films/Apogee (2026)/Apogee (2026).mp4': '',
    'Series/Weaving/Season 01/Weaving S01E01.mkv': '',
    'Series/Weaving/tvshow.nfo': '<tvshow><title>Weaving</title></tvshow>',
    'Series/Weaving/tvshow.fr.nfo': '<tvshow><title>Le Métier</title></tvshow>',
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  for (const home of [join(folder, 'Films/The Swell (2026)'), join(folder, 'Films/Apogee (2026)'), series]) {
    const art = sharp({ create: { width: 600, height: 200, channels: 3, background: '#204060' } })
    await art.toFile(join(home, 'logo.png'))
  }
  const drawn = async (file: string, width: number) => {
    const picture = sharp({ create: { width, height: 300, channels: 3, background: '#402060' } })
    await picture.toFile(join(folder, file))
  }
  await drawn('Films/Apogee (2026)/poster.jpg', 200)
  await drawn('Films/Apogee (2026)/Apogee (2026)-poster.fr.jpg', 210)
  await drawn('Films/Apogee (2026)/poster.de.jpg', 220)
  await drawn('Films/Apogee (2026)/logo.de.png', 230)
  await drawn('Series/Weaving/season01-poster.jpg', 240)
  await drawn('Series/Weaving/season01-poster.fr.jpg', 250)
  await takeLibrary(service.context, folder, { signal, language: 'eng' })

  const asset = async (key: string, languageId: string) => {
    const rows = await service.context.db.select().from(assets)
    const idAsset = rows.find(({ sourceKey }) => sourceKey.includes(key))?.id ?? 0
    const { result } = await service.call(contentData, { idAsset, languageId } as never)
    if (result.content.type !== 'asset') throw new Error('There is no asset.')
    return result.content.payload
  }
  const shown = async (key: string, languageId: string): Promise<[string, boolean]> => {
    const { title, logoImage } = await asset(key, languageId)
    return [title, logoImage !== null]
  }
  expect(await shown('The Swell', 'eng')).toEqual(['The Swell', true])
  expect(await shown('The Swell', 'fra')).toEqual(['La Houle', false])
  for (const language of ['eng', 'fra', 'deu'])
    expect(await shown('Apogee', language)).toEqual(['Apogee', true])
  // An episode shows the logo of its series, if the logo is in the reader's language.
  expect(await shown('Weaving', 'eng')).toMatchObject({ 1: true })
  expect(await shown('Weaving', 'fra')).toMatchObject({ 1: false })
  const ofSeries = async (languageId: string) => {
    const { result } = await service.call(hierarchy, { languageId } as never)
    const found = result.flatMap(({ categories }) => categories).find(({ isSerie }) => isSerie)
    return [found?.name, found?.images.logo?.width]
  }
  expect(await ofSeries('eng')).toEqual(['Weaving', 600])
  expect(await ofSeries('fra')).toEqual(['Le Métier', undefined])
  // Posters and logos are in the reader's language, if the library has such pictures.
  const widths = async (languageId: string) => {
    const { posterImage, logoImage } = await asset('Apogee', languageId)
    return [posterImage?.width, logoImage?.width]
  }
  expect(await widths('eng')).toEqual([200, 600])
  expect(await widths('fra')).toEqual([210, 600])
  expect(await widths('deu')).toEqual([220, 230])
  const ofSeason = async (languageId: string) => {
    const { result } = await service.call(hierarchy, { languageId } as never)
    const found = result.flatMap(({ categories }) => categories).find(({ isSerie }) => isSerie)
    return found?.categories[0]?.images.poster?.width
  }
  expect([await ofSeason('eng'), await ofSeason('fra'), await ofSeason('deu')]).toEqual([240, 250, 240])
  // A picture whose file was deleted is no longer shown.
  await rm(join(folder, 'Films/Apogee (2026)/poster.de.jpg'))
  await takeLibrary(service.context, folder, { signal, language: 'eng' })
  expect(await widths('deu')).toEqual([200, 230])
  await service.remove()
  await rm(folder, { recursive: true })
})

describe.each(MAIN_DB)('an age rating, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  const PATHS = {
    film: 'Films/Aube (2026)/Aube (2026)',
    series: 'Series/Trame/tvshow',
    season: 'Series/Trame/Season 01/season',
    first: 'Series/Trame/Season 01/Trame S01E01',
    second: 'Series/Trame/Season 01/Trame S01E02',
  }
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  const describes = async (which: keyof typeof PATHS, content: string): Promise<void> =>
    await write(`${PATHS[which]}.nfo`, content)
  /** Imports the folder. Returns the levels of its titles, which titles are for adults, and the problems. */
  const take = async () => {
    const { problems } = await takeLibrary(service.context, folder, { signal })
    const { db } = service.context
    const rows = [...(await db.select().from(assets)), ...(await db.select().from(categories))]
    const named = rows.filter(({ kind }) => kind !== 'category')
    return {
      levels: Object.fromEntries(
        named.map(({ sourceKey, moralityLevel }) => [sourceKey.split('/').at(-1), moralityLevel]),
      ),
      adult: named.filter(({ adult }) => adult).map(({ sourceKey }) => sourceKey.split('/').at(-1)),
      problems: problems.map(({ path, line, reason }) => [path.slice(folder.length + 1), line, reason]),
    }
  }
  const kept = expect.stringMatching(
    /; until it is repaired, its title keeps its age rating, and a new title gets/,
  )

  beforeEach(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    folder = await mkdtemp(join(tmpdir(), 'ondine-rated-'))
    await write(`${PATHS.film}.mp4`, '')
    await write(`${PATHS.first}.mkv`, '')
  })
  afterEach(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it('is none in a metadata file that has only an address', async () => {
    await describes('film', 'https://www.themoviedb.org/movie/1')
    const { levels, problems } = await take()
    expect(levels['Aube (2026).mp4']).toBe(0)
    expect(problems).toMatchObject([[`${PATHS.film}.nfo`, 1, expect.not.stringContaining('repaired')]])
  })

  it('stays while the metadata file is damaged before it, or unreadable', async () => {
    await describes('film', '<movie><mpaa>XXX</mpaa></movie>')
    await describes('series', '<tvshow><mpaa>12</mpaa></tvshow>')
    await describes('season', '<season><mpaa>14</mpaa></season>')
    await describes('first', '<episodedetails><mpaa>16</mpaa></episodedetails>')
    const whole = { 'Aube (2026).mp4': 6, 'series:Trame': 3, '1': 4, 'Trame S01E01.mkv': 5 }
    expect(await take()).toEqual({ levels: whole, adult: ['Aube (2026).mp4'], problems: [] })

    await describes('film', '<movie>\n<plot>Vent & marée</plot><mpaa>XXX</mpaa></movie>')
    await describes('series', '<tvshow><plot>Fil & trame</plot><mpaa>12</mpaa></tvshow>')
    await describes('season', 'x'.repeat(4_000_001))
    await describes('first', '')
    expect(await take()).toEqual({
      levels: whole,
      adult: ['Aube (2026).mp4'],
      problems: [
        [`${PATHS.film}.nfo`, 2, kept],
        [`${PATHS.series}.nfo`, 1, kept],
        [`${PATHS.season}.nfo`, undefined, kept],
        [`${PATHS.first}.nfo`, 1, kept],
      ],
    })

    // An episode is at least as strict as its series.
    await describes('series', '<tvshow><mpaa>18</mpaa></tvshow>')
    expect((await take()).levels).toEqual({ ...whole, 'series:Trame': 6, 'Trame S01E01.mkv': 6 })

    await describes('film', '<movie><plot>Vent &amp; marée</plot><mpaa>10+</mpaa></movie>')
    await describes('series', '<tvshow/>')
    await describes('season', '<season/>')
    await describes('first', '<episodedetails/>')
    const none = { 'series:Trame': 0, '1': 0, 'Trame S01E01.mkv': 0 }
    expect(await take()).toEqual({ levels: { ...none, 'Aube (2026).mp4': 2 }, adult: [], problems: [] })
  })

  it('and everything else stays while a metadata file or a picture is damaged', async () => {
    const rowsOfTitles = async () => {
      const { db } = service.context
      const rows = [...(await db.select().from(assets)), ...(await db.select().from(categories))]
      const placed = await db.select().from(assetCategories)
      return { rows: rows.toSorted((one, other) => one.id - other.id), placed: placed.length }
    }
    const picture = join(folder, 'Films/Aube (2026)/poster.jpg')
    const actors = '<actor><name>Ana</name></actor><actor><name>Bo</name></actor>'
    const film = `<title>L’aube</title><plot>Un port.</plot><tagline>Tôt.</tagline><year>2025</year><studio>Rive</studio><genre>Drame</genre><genre>Nature</genre><tag>mer</tag><director>Cy</director>${actors}<slug>aube</slug>`
    await describes('film', `<movie>${film}</movie>`)
    await describes(
      'series',
      `<tvshow><title>La Trame</title><plot>Un fil.</plot><genre>Drame</genre><studio>Rive</studio>${actors}<namedseason number="1">Printemps</namedseason></tvshow>`,
    )
    await describes('first', '<episodedetails><title>Le fil</title><plot>Il casse.</plot></episodedetails>')
    await write(`${PATHS.film}.en.nfo`, '<movie><title>Dawn</title><plot>A port.</plot></movie>')
    await sharp({ create: { width: 200, height: 300, channels: 3, background: '#204060' } }).toFile(picture)
    await take()
    const before = await rowsOfTitles()
    expect(before.rows).toContainEqual(
      expect.objectContaining({ customSlug: 'aube', genres: ['Drame', 'Nature'], actors: ['Ana', 'Bo'] }),
    )
    expect(before.rows).toContainEqual(
      expect.objectContaining({ kind: 'season', names: expect.objectContaining({ fra: 'Printemps' }) }),
    )

    await describes('film', '<movie><genre>Drame</genre><actor><name>Ana</name></actor><title>L’au')
    await describes('series', 'x'.repeat(4_000_001))
    await describes('first', '')
    await write(`${PATHS.film}.en.nfo`, '<movie><plot>A port & a ship.')
    await writeFile(picture, 'half a picture')
    const { problems } = await take()
    expect(problems).toHaveLength(5)
    expect(await rowsOfTitles()).toEqual(before)

    await describes('film', '<movie/>')
    await rm(join(folder, `${PATHS.film}.en.nfo`))
    await rm(picture)
    await take()
    const after = await rowsOfTitles()
    expect(after.rows).toContainEqual(
      expect.objectContaining({ titles: { fra: 'Aube' }, genres: [], customSlug: null, posterImage: null }),
    )
    expect(after.placed).toBe(before.placed - 2)
  })

  it('of a new title with a damaged metadata file is the strictest until the file is repaired', async () => {
    await describes('film', '<movie><plot>Vent & marée</plot><mpaa>10+</mpaa></movie>')
    await describes('first', '<episodedetails><mpaa>10+</mpaa></episodedetails>')
    await describes('second', '<episodedetails><plot>&')
    await write(`${PATHS.second}.mkv`, '')
    const first = await take()
    const rest = { 'series:Trame': 0, '1': 0, 'Trame S01E01.mkv': 2 }
    expect(first.levels).toEqual({ ...rest, 'Aube (2026).mp4': 6, 'Trame S01E02.mkv': 6 })
    expect(first.problems).toEqual([
      [`${PATHS.film}.nfo`, 1, kept],
      [`${PATHS.second}.nfo`, 1, kept],
    ])
    expect(await take()).toEqual(first)

    await describes('film', '<movie><plot>Vent &amp; marée</plot><mpaa>10+</mpaa></movie>')
    await describes('second', '<episodedetails/>')
    expect((await take()).levels).toEqual({ ...rest, 'Aube (2026).mp4': 2, 'Trame S01E02.mkv': 0 })
  })

  it('of a new series with a damaged metadata file is the strictest, also for its episodes', async () => {
    await describes('series', '<tvshow><plot>&')
    await describes('first', '<episodedetails><mpaa>10+</mpaa></episodedetails>')
    const strict = { 'series:Trame': 6, '1': 6, 'Trame S01E01.mkv': 6 }
    expect((await take()).levels).toMatchObject(strict)
    expect((await take()).levels).toMatchObject(strict)
    await describes('series', '<tvshow><mpaa>TP</mpaa></tvshow>')
    expect((await take()).levels).toMatchObject({ 'series:Trame': 0, '1': 0, 'Trame S01E01.mkv': 2 })
  })

  it('before the fault counts, and one that is not known is a fault', async () => {
    await describes('film', '<movie><mpaa>10+</mpaa><plot>Vent & marée</plot></movie>')
    await describes('first', '<episodedetails><mpaa>AO</mpaa></episodedetails>')
    const { levels, problems } = await take()
    expect(levels).toMatchObject({ 'Aube (2026).mp4': 2, 'Trame S01E01.mkv': 6 })
    expect(problems).toEqual([
      [`${PATHS.film}.nfo`, 1, expect.not.stringContaining('age rating')],
      [
        `${PATHS.first}.nfo`,
        undefined,
        expect.stringMatching(/^its age rating AO is not known; until it is/),
      ],
    ])
    await describes('first', '<episodedetails><mpaa>Unrated</mpaa></episodedetails>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 0 })
  })

  const art = async (name: string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await sharp({ create: { width: 20, height: 30, channels: 3, background: '#204060' } }).toFile(
      join(folder, name),
    )
  }
  const shown = async (ending: string): Promise<Asset> => {
    const rows = await service.context.db.select().from(assets)
    const idAsset = rows.find(({ sourceKey }) => sourceKey.endsWith(ending))?.id ?? 0
    const { result } = await service.call(contentData, { idAsset })
    if (result.content.type !== 'asset') throw new Error('There is no asset.')
    return result.content.payload
  }

  it('counts for every edition of a film in its folder, which also share texts and pictures', async () => {
    const home = dirname(PATHS.film)
    const nfo = '<movie><title>L’Aube</title><plot>Tôt.</plot><mpaa>18</mpaa><genre>Drame</genre></movie>'
    await write(`${home}/movie.nfo`, nfo)
    await art(`${home}/poster.jpg`)
    await take()
    const before = await shown('Aube (2026).mp4')
    expect(before).toMatchObject({ title: 'L’Aube', moralityLevel: 6, description: 'Tôt.' })

    await write(`${PATHS.film} - Version longue.mp4`, '')
    await write(`${home}/Court.mp4`, '')
    const { levels, problems } = await take()
    expect(problems).toEqual([])
    expect(levels).toMatchObject({
      'Aube (2026).mp4': 6,
      'Aube (2026) - Version longue.mp4': 6,
      'Court.mp4': 6,
    })
    const { posterImage, directMetadata } = before
    expect(await shown('Aube (2026).mp4')).toMatchObject({ title: 'L’Aube', posterImage, directMetadata })
    expect(await shown('longue.mp4')).toMatchObject({
      title: 'L’Aube – Version longue',
      description: 'Tôt.',
      posterImage,
    })
    expect(await shown('Court.mp4')).toMatchObject({ title: 'Court', description: '', posterImage: null })
  })

  it('stays when the metadata file vanishes', async () => {
    await describes('film', '<movie><mpaa>18</mpaa></movie>')
    await describes('series', '<tvshow><mpaa>16</mpaa></tvshow>')
    const { levels } = await take()
    await rm(join(folder, `${PATHS.film}.nfo`))
    await rm(join(folder, `${PATHS.series}.nfo`))
    expect((await take()).levels).toEqual(levels)
    await describes('film', '<movie/>')
    await describes('series', '<tvshow/>')
    const none = { 'Aube (2026).mp4': 0, 'series:Trame': 0, '1': 0, 'Trame S01E01.mkv': 0 }
    expect((await take()).levels).toEqual(none)
  })

  it('of a season stays when its metadata file vanishes, and is that of the series if a file has none', async () => {
    await describes('series', '<tvshow><mpaa>12</mpaa></tvshow>')
    await describes('season', '<season><mpaa>XXX</mpaa></season>')
    const { levels, adult } = await take()
    expect(levels).toMatchObject({ 'series:Trame': 3, '1': 6, 'Trame S01E01.mkv': 6 })
    await rm(join(folder, `${PATHS.season}.nfo`))
    expect(await take()).toMatchObject({ levels, adult })
    expect(await take()).toMatchObject({ levels, adult })
    await describes('season', '<season/>')
    expect((await take()).levels).toMatchObject({ '1': 3, 'Trame S01E01.mkv': 3 })
  })

  it('of an episode stays when its metadata file vanishes; without a file, it is that of the season', async () => {
    await write(`${PATHS.second}.mkv`, '')
    await describes('season', '<season><mpaa>12</mpaa></season>')
    await describes('first', '<episodedetails><mpaa>16</mpaa></episodedetails>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 5, 'Trame S01E02.mkv': 3 })
    await rm(join(folder, `${PATHS.first}.nfo`))
    await describes('season', '<season><mpaa>10</mpaa></season>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 5, 'Trame S01E02.mkv': 2 })
    // A stricter rating of the season applies while it is there.
    await describes('season', '<season><mpaa>18</mpaa></season>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 6, 'Trame S01E02.mkv': 6 })
    await describes('season', '<season><mpaa>10</mpaa></season>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 5, 'Trame S01E02.mkv': 2 })
    await describes('first', '<episodedetails/>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 2 })
    await rm(join(folder, `${PATHS.first}.nfo`))
    await describes('season', '<season><mpaa>TP</mpaa></season>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 0 })
  })

  it('of a new episode stays the strictest when its damaged metadata file vanishes', async () => {
    await describes('first', '<episodedetails><plot>&')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 6 })
    await rm(join(folder, `${PATHS.first}.nfo`))
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 6 })
    await describes('first', '<episodedetails/>')
    expect((await take()).levels).toMatchObject({ 'Trame S01E01.mkv': 0 })
  })

  it('of a season applies to its episodes if it is stricter', async () => {
    await describes('series', '<tvshow><mpaa>12</mpaa></tvshow>')
    await describes('season', '<season><mpaa>16</mpaa></season>')
    await describes('first', '<episodedetails><mpaa>TP</mpaa></episodedetails>')
    expect((await take()).levels).toMatchObject({ 'series:Trame': 3, '1': 5, 'Trame S01E01.mkv': 5 })
    await describes('season', '<season><mpaa>10</mpaa></season>')
    expect((await take()).levels).toMatchObject({ '1': 2, 'Trame S01E01.mkv': 3 })
  })

  it('of a series in several folders is the strictest', async () => {
    await describes('series', '<tvshow><title>La Trame</title><mpaa>18</mpaa></tvshow>')
    await write('Zweite/Trame/Season 02/Trame S02E01.mkv', '')
    const strict = { 'series:Trame': 6, '2': 6, 'Trame S02E01.mkv': 6, 'Trame S01E01.mkv': 6 }
    expect((await take()).levels).toMatchObject(strict)
    await write('Andere/Trame/tvshow.nfo', '<tvshow><mpaa>TP</mpaa></tvshow>')
    await write('Andere/Trame/Season 03/Trame S03E01.mkv', '')
    expect((await take()).levels).toMatchObject(strict)
  })

  it('of a series is the strictest of several libraries, and no library erases what another has', async () => {
    const { db } = service.context
    const other = await mkdtemp(join(tmpdir(), 'ondine-other-'))
    const putThere = async (name: string, content: string): Promise<void> => {
      await mkdir(dirname(join(other, 'Trame', name)), { recursive: true })
      await writeFile(join(other, 'Trame', name), content)
    }
    const takeOther = async () =>
      await takeLibrary(service.context, other, { signal, language: 'eng', announcesEmpty: true })
    const seriesNow = async () =>
      (await db.select().from(categories)).filter(({ kind }) => kind !== 'category')
    const levels = async () => {
      const rows = [...(await db.select().from(categories)), ...(await db.select().from(assets))]
      return Object.fromEntries(
        rows.map(({ sourceKey, moralityLevel }) => [sourceKey.split('/').at(-1), moralityLevel]),
      )
    }
    try {
      const words = '<title>La Trame</title><plot>Un fil.</plot><genre>Drame</genre><year>2021</year>'
      await describes(
        'series',
        `<tvshow>${words}<mpaa>18</mpaa><namedseason number="1">Le fil</namedseason></tvshow>`,
      )
      await art('Series/Trame/poster.jpg')
      await art('Series/Trame/season01-poster.jpg')
      await art('Series/Trame/logo.png')
      await take()
      const before = await seriesNow()

      await putThere('Season 01/Trame S01E02.mkv', '')
      await putThere('Season 02/Trame S02E01.mkv', '')
      await takeOther()
      const after = await seriesNow()
      expect(after.filter(({ seasonNumber }) => seasonNumber !== 2)).toEqual(before)
      expect(await levels()).toMatchObject({ '2': 6, 'Trame S01E02.mkv': 6, 'Trame S02E01.mkv': 6 })
      expect(await shown('Trame S02E01.mkv')).toMatchObject({
        directMetadata: { AD_LIGENRES: 'Drame', TS_PRODYEAR: 2021 },
      })

      // A correction reaches the titles of both libraries with their next imports, a stricter one at once.
      await describes('series', `<tvshow>${words}<mpaa>12</mpaa></tvshow>`)
      await take()
      await takeOther()
      expect(await levels()).toMatchObject({ 'series:Trame': 3, '2': 3, 'Trame S02E01.mkv': 3 })
      await describes('series', `<tvshow>${words}<mpaa>16</mpaa></tvshow>`)
      await take()
      expect(await levels()).toMatchObject({ 'series:Trame': 5, '2': 5, 'Trame S02E01.mkv': 5 })

      await putThere('tvshow.nfo', '<tvshow><title>Weft</title><mpaa>TP</mpaa></tvshow>')
      await takeOther()
      expect(await levels()).toMatchObject({ 'series:Trame': 5, 'Trame S02E01.mkv': 5 })
      const [series] = await seriesNow()
      expect(series).toMatchObject({
        names: { fra: 'La Trame', eng: 'Weft' },
        synopses: { fra: 'Un fil.' },
        year: 2021,
      })
      await putThere('tvshow.nfo', '<tvshow><mpaa>18</mpaa></tvshow>')
      await takeOther()
      await take()
      expect(await levels()).toMatchObject({ 'series:Trame': 6, 'Trame S01E01.mkv': 6 })
      await putThere('tvshow.nfo', '<tvshow><mpaa>TP</mpaa></tvshow>')
      await takeOther()
      expect(await levels()).toMatchObject({ 'series:Trame': 5 })

      // A file that vanishes from either library leaves its rating, at the imports of both.
      const takeBoth = async () => {
        await take()
        await takeOther()
      }
      const adults = { 'series:Trame': 6, '2': 6, 'Trame S01E01.mkv': 6, 'Trame S02E01.mkv': 6 }
      const teens = { 'series:Trame': 3, '2': 3, 'Trame S01E01.mkv': 3, 'Trame S02E01.mkv': 3 }
      await describes('series', `<tvshow>${words}<mpaa>12</mpaa></tvshow>`)
      await putThere('tvshow.nfo', '<tvshow><mpaa>18</mpaa></tvshow>')
      await takeBoth()
      await rm(join(other, 'Trame/tvshow.nfo'))
      await takeOther()
      expect(await levels()).toMatchObject(adults)
      await takeBoth()
      expect(await levels()).toMatchObject(adults)
      await putThere('tvshow.nfo', '<tvshow/>')
      await takeOther()
      await takeBoth()
      expect(await levels()).toMatchObject(teens)

      await describes('series', `<tvshow>${words}<mpaa>18</mpaa></tvshow>`)
      await takeBoth()
      await rm(join(folder, `${PATHS.series}.nfo`))
      await takeBoth()
      await takeBoth()
      expect(await levels()).toMatchObject(adults)
      await describes('series', `<tvshow>${words}<mpaa>12</mpaa></tvshow>`)
      await takeBoth()
      expect(await levels()).toMatchObject(teens)
    } finally {
      await rm(other, { recursive: true })
    }
  })
})

it('a file with several episodes shows all its numbers, and the episode after them follows', async () => {
  const service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'ondine-several-'))
  try {
    await mkdir(join(folder, 'Trame'))
    for (const name of ['S01E01-E02', 'S01E02 Alone', 'S01E03', 'S01E04-E06'])
      await writeFile(join(folder, 'Trame', `Trame ${name}.mkv`), '')
    const { problems } = await takeLibrary(service.context, folder, { signal, announcesEmpty: true })
    expect(problems.map(({ reason }) => reason)).toEqual([
      'there is another episode 2 of season 1: Trame S01E01-E02.mkv',
    ])
    const { db } = service.context
    await db.update(assets).set({ availability: 'ready' })
    const rows = await db.select().from(assets).orderBy(asc(assets.episodeNumber))
    const seen = async (languageId: string) =>
      await Promise.all(
        rows.map(async ({ id: idAsset }) => {
          const { result } = await service.call(contentData, { idAsset, languageId } as never)
          if (result.content.type !== 'asset') throw new Error('There is no asset.')
          const { title, directMetadata } = result.content.payload
          return [title, directMetadata.AD_SERIESEP, directMetadata.AD_SERIESEPEND, result.next?.title]
        }),
      )
    expect(await seen('fra')).toEqual([
      ['Épisodes 1 et 2', 1, 2, 'Épisode 3'],
      ['Épisode 3', 3, undefined, 'Épisodes 4 à 6'],
      ['Épisodes 4 à 6', 4, 6, undefined],
    ])
    expect((await seen('eng')).map(([title]) => title)).toEqual([
      'Episodes 1 and 2',
      'Episode 3',
      'Episodes 4 to 6',
    ])
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
})

it('an episode in a library in English keeps its title for readers of French, and its own year', async () => {
  const service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'ondine-english-'))
  try {
    const files = {
      'tvshow.nfo': '<tvshow><title>Weaving</title><year>2019</year></tvshow>',
      'Season 01/Weaving S01E01.mkv': '',
      'Season 01/Weaving S01E01.nfo':
        '<episodedetails><title>The Weft</title><aired>2021-03-01</aired></episodedetails>',
      'Season 01/Weaving S01E02.mkv': '',
    }
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, 'Weaving', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
    await writeFile(join(folder, 'Heat.1995.mkv'), '')
    await takeLibrary(service.context, folder, { signal, language: 'eng', announcesEmpty: true })
    const rows = await service.context.db.select().from(assets)
    const seen = async (ending: string, languageId: string) => {
      const idAsset = rows.find(({ sourceKey }) => sourceKey.endsWith(ending))?.id ?? 0
      const { result } = await service.call(contentData, { idAsset, languageId } as never)
      if (result.content.type !== 'asset') throw new Error('There is no asset.')
      return [result.content.payload.title, result.content.payload.directMetadata.TS_PRODYEAR]
    }
    for (const language of ['fra', 'eng']) expect(await seen('E01.mkv', language)).toEqual(['The Weft', 2021])
    expect(await seen('E02.mkv', 'fra')).toEqual(['Épisode 2', 2019])
    expect(await seen('E02.mkv', 'eng')).toEqual(['Episode 2', 2019])
    expect(await seen('Heat.1995.mkv', 'fra')).toEqual(['Heat', 1995])
  } finally {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  }
})
