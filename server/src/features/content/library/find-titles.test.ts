import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scanFolder } from '../../../files/scan-folder.ts'
import { type FoundTitles, findTitles } from './find-titles.ts'

let folder: string
/** The titles in the catalogue. */
let known: { films: string[]; episodes: string[]; series: string[] }
beforeEach(async () => {
  known = { films: [], episodes: [], series: [] }
  folder = await mkdtemp(join(tmpdir(), 'ondine-titles-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

async function find(...files: string[]): Promise<FoundTitles> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  const { root, problems } = await scanFolder(folder, new AbortController().signal)
  const found = findTitles(root, Date.UTC(2026, 5, 1), {
    videos: new Map([
      ...known.films.map((key) => [key, 'film'] as const),
      ...known.episodes.map((key) => [key, 'episode'] as const),
    ]),
    series: new Set(known.series),
  })
  return { ...found, problems: [...problems, ...found.problems] }
}
const inside = (path: string | null | undefined): string | null => (path ? relative(folder, path) : null)

describe('films', () => {
  it('in their own folder get all files in it', async () => {
    const home = 'Films/La Houle (2026)'
    const { films } = await find(
      ...[
        'La Houle (2026).mp4',
        'La Houle (2026)-trailer.mp4',
        'movie.nfo',
        'La Houle (2026).en.nfo',
        'poster.jpg',
      ].map((f) => `${home}/${f}`),
      ...[
        'fanart.JPG',
        'logo.svg',
        'landscape.webp',
        'La Houle (2026).fr.srt',
        'La Houle (2026).en.sdh.vtt',
        'Subs/German.srt',
      ].map((f) => `${home}/${f}`),
      ...['extras/making-of.mkv', 'La Houle (2026)-deleted.mkv', 'sample.mkv'].map((f) => `${home}/${f}`),
    )
    expect(films).toHaveLength(1)
    const [film] = films
    expect(film).toMatchObject({ title: 'La Houle', year: 2026 })
    expect(film?.media.key).toBe(`${home}/La Houle (2026).mp4`)
    expect(inside(film?.trailer?.path)).toBe(`${home}/La Houle (2026)-trailer.mp4`)
    expect(inside(film?.metadata.own)).toBe(`${home}/movie.nfo`)
    expect([...(film?.metadata.localised ?? [])].map(([code, path]) => [code, inside(path)])).toEqual([
      ['eng', `${home}/La Houle (2026).en.nfo`],
    ])
    expect(inside(film?.artwork.poster)).toBe(`${home}/poster.jpg`)
    expect(inside(film?.artwork.background)).toBe(`${home}/fanart.JPG`)
    expect(inside(film?.artwork.logo)).toBe(`${home}/logo.svg`)
    expect(inside(film?.artwork.thumbnail)).toBe(`${home}/landscape.webp`)
    expect(
      film?.media.subtitles.map(({ language, captions, forced }) => ({ language, captions, forced })),
    ).toEqual([
      { language: 'eng', captions: true, forced: false },
      { language: 'fra', captions: false, forced: false },
      { language: 'deu', captions: false, forced: false },
    ])
  })

  it('in one folder together get only files with their name', async () => {
    const { films } = await find(
      'One.mp4',
      'Two.mkv',
      'One-poster.jpg',
      'poster.jpg',
      'movie.nfo',
      'Two.nfo',
      'Two-trailer.mp4',
      'Two.fr.forced.srt',
    )
    expect(films.map(({ title }) => title)).toEqual(['One', 'Two'])
    const [one, two] = films
    expect(inside(one?.artwork.poster)).toBe('One-poster.jpg')
    expect(one?.metadata.own).toBeNull()
    expect(one?.trailer).toBeNull()
    expect(two?.artwork.poster).toBeNull()
    expect(inside(two?.metadata.own)).toBe('Two.nfo')
    expect(inside(two?.trailer?.path)).toBe('Two-trailer.mp4')
    expect(two?.media.subtitles).toMatchObject([{ language: 'fra', forced: true }])
  })

  it.each([
    ['zh-Hant', { language: 'zho', label: '', variant: 'zh-Hant' }],
    ['zh-TW', { language: 'zho', label: '', variant: 'zh-TW' }],
    ['zh_Hans', { language: 'zho', label: '', variant: 'zh-Hans' }],
    ['cht', { language: 'zho', label: '', variant: 'zh-Hant' }],
    ['chs', { language: 'zho', label: '', variant: 'zh-Hans' }],
    ['pt-BR', { language: 'por', label: '', variant: 'pt-BR' }],
    ['pt_BR.forced', { language: 'por', label: '', variant: 'pt-BR', forced: true }],
    ['pob', { language: 'por', label: '', variant: 'pt-BR' }],
    ['es-419', { language: 'spa', label: '', variant: 'es-419' }],
    ['en-forced', { language: 'eng', label: '', forced: true }],
    ['en-sdh', { language: 'eng', label: '', captions: true }],
    ['en-GB-hi', { language: 'eng', label: '', variant: 'en-GB', captions: true }],
    ['en-cc', { language: 'eng', label: '', captions: true }],
    ['zh.Hant', { language: 'zho', label: '', variant: 'zh-Hant' }],
    ['zh.TW', { language: 'zho', label: '', variant: 'zh-TW' }],
    ['chi.cht', { language: 'zho', label: '', variant: 'zh-Hant' }],
    ['Chinese.Hans.Bonus', { language: 'zho', label: 'Bonus', variant: 'zh-Hans' }],
    ['fr.cht', { language: 'fra', label: 'cht' }],
    ['fr.XX', { language: 'fra', label: 'XX' }],
    ['fr.CA', { language: 'fra', label: '', variant: 'fr-CA' }],
    ['es.419', { language: 'spa', label: '', variant: 'es-419' }],
    ['fr-SM', { language: 'fra', label: '', variant: 'fr-SM' }],
    ['fr.SM', { language: 'fra', label: '', captions: true }],
    ['fr.ST', { language: 'fra', label: 'ST' }],
    ['en.SD', { language: 'eng', label: 'SD' }],
    ['en.NF', { language: 'eng', label: 'NF' }],
    ['fr.Signs', { language: 'fra', label: 'Signs' }],
    ['hi', { language: 'hin', label: '', captions: false }],
    ['old-TV', { language: 'und', label: 'old-TV' }],
  ])('have subtitles whose name ends in %s', async (name, expected) => {
    const { films } = await find('One.mp4', `One.${name}.srt`)
    const usual = { forced: false, captions: false }
    expect(films[0]?.media.subtitles).toMatchObject([{ ...usual, ...expected }])
  })

  it('take their name from their folder if that is more precise', async () => {
    const { films } = await find('Dunes (2021)/film.mkv', 'Dunes (2021)/trailers/any.mp4', 'Films/alone.mkv')
    expect(films.map(({ title, year }) => [title, year])).toEqual([
      ['Dunes', 2021],
      ['alone', null],
    ])
    expect(inside(films[0]?.trailer?.path)).toBe('Dunes (2021)/trailers/any.mp4')
  })
})

describe('several videos of a film in its folder', () => {
  it('are editions, each with the metadata and artwork of the folder', async () => {
    const home = 'Solo (2020)'
    const { films, problems } = await find(
      ...['Solo (2020).mkv', 'Solo (2020) - Director’s Cut.mkv', 'movie.nfo', 'poster.jpg'].map(
        (f) => `${home}/${f}`,
      ),
      ...['trailers/any.mp4', 'Subs/French.srt', 'Short.mkv', 'Short-poster.jpg'].map((f) => `${home}/${f}`),
    )
    expect(problems).toEqual([])
    const known = films.map(({ title, edition, metadata, artwork, media, trailer }) => [
      title,
      edition,
      inside(metadata.own),
      metadata.fallback.map(inside),
      inside(artwork.poster),
      media.subtitles.length,
      inside(trailer?.path),
    ])
    const shared = [`${home}/movie.nfo`, [], `${home}/poster.jpg`]
    // A film with another name has only the age rating of the folder.
    expect(known).toEqual([
      ['Short', null, null, [`${home}/movie.nfo`], `${home}/Short-poster.jpg`, 0, null],
      ['Solo', 'Director’s Cut', ...shared, 0, `${home}/trailers/any.mp4`],
      ['Solo', null, ...shared, 1, `${home}/trailers/any.mp4`],
    ])
  })

  it('in different qualities are one film if they are new: the one with the most lines', async () => {
    const { films, problems } = await find(
      'Solo (2020)/Solo (2020) - 1080p.mkv',
      'Solo (2020)/Solo (2020) - 2160p HDR.mkv',
      'Solo (2020)/Solo (2020) - Director’s Cut 1080p.mkv',
      'Duo.2019.720p.x264-GRP.mkv',
      'Duo.2019.1080p.WEB-DL.DDP5.1.x264-GRP.mkv',
      'Trio (2018).mkv',
      'Trio (2018).mp4',
      '!!!.mkv',
      '$$$.mkv',
    )
    expect(new Map(films.map(({ media, edition }) => [media.key, edition]))).toEqual(
      new Map([
        ['!!!.mkv', null],
        ['$$$.mkv', null],
        ['Duo.2019.1080p.WEB-DL.DDP5.1.x264-GRP.mkv', null],
        ['Solo (2020)/Solo (2020) - 2160p HDR.mkv', null],
        ['Solo (2020)/Solo (2020) - Director’s Cut 1080p.mkv', 'Director’s Cut 1080p'],
        ['Trio (2018).mkv', null],
      ]),
    )
    const reasonOf = (file: string) =>
      `it is the same film as ${file} in another quality; remove one of the two files, or name this one as an edition`
    expect(new Map(problems.map(({ path, reason }) => [inside(path), reason]))).toEqual(
      new Map([
        ['Duo.2019.720p.x264-GRP.mkv', reasonOf('Duo.2019.1080p.WEB-DL.DDP5.1.x264-GRP.mkv')],
        ['Solo (2020)/Solo (2020) - 1080p.mkv', reasonOf('Solo (2020) - 2160p HDR.mkv')],
        ['Trio (2018).mp4', reasonOf('Trio (2018).mkv')],
      ]),
    )
  })

  it('in different qualities stay titles if they are titles, and no better file is added to them', async () => {
    known.films = ['Spider-Man.2002.720p.mkv', 'Duo.2019.720p.mkv', 'Duo.2019.1080p.mkv']
    const { films, otherQualities, problems } = await find(
      ...known.films,
      'Spider.Man.2002.1080p.mkv',
      'Spider-Man.2002.Extended.1080p.mkv',
    )
    expect(new Map(films.map(({ media, edition }) => [media.key, edition]))).toEqual(
      new Map([
        ['Duo.2019.720p.mkv', '720p'],
        ['Duo.2019.1080p.mkv', '1080p'],
        ['Spider-Man.2002.720p.mkv', null],
        ['Spider-Man.2002.Extended.1080p.mkv', 'Extended 1080p'],
      ]),
    )
    expect(otherQualities.map(({ key }) => key)).toEqual(['Spider.Man.2002.1080p.mkv'])
    expect(problems.map(({ path }) => inside(path))).toEqual(['Spider.Man.2002.1080p.mkv'])
  })

  it('with other words in square brackets are editions, with or without a year', async () => {
    const { films, problems } = await find(
      'Concert [Lyon].mkv',
      'Concert [Paris].mkv',
      'Solo [1080p].mkv',
      'Solo [720p].mkv',
    )
    expect(films.map(({ title, edition }) => [title, edition])).toEqual([
      ['Concert', 'Lyon'],
      ['Concert', 'Paris'],
      ['Solo', null],
    ])
    expect(problems.map(({ path }) => inside(path))).toEqual(['Solo [720p].mkv'])
  })

  it('are rated as the other editions, also in a folder of many films', async () => {
    const { films } = await find(
      'Solo (2020).mkv',
      'Solo (2020).nfo',
      'Solo (2020) [Extended].mkv',
      'Two.mkv',
    )
    expect(
      films.map(({ title, edition, metadata }) => [
        title,
        edition,
        inside(metadata.own),
        metadata.fallback.map(inside),
      ]),
    ).toEqual([
      ['Solo', 'Extended', null, ['Solo (2020).nfo']],
      ['Solo', null, 'Solo (2020).nfo', []],
      ['Two', null, null, []],
    ])
  })

  it('that are parts are listed', async () => {
    const { films, problems } = await find('Old/Old-cd1.avi', 'Old/Old-cd2.avi', 'Se7en-part1.mkv')
    expect(films.map(({ title }) => title)).toEqual(['Se7en-part1'])
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['Old/Old-cd1.avi', expect.stringContaining('join')],
      ['Old/Old-cd2.avi', expect.stringContaining('join')],
    ])
  })

  it('take their name from the folder if only that has the year of the film', async () => {
    const { films } = await find('Wonder Woman 1984 (2020)/Wonder.Woman.1984.mkv')
    expect(films).toMatchObject([{ title: 'Wonder Woman 1984', year: 2020 }])
  })
})

describe('a file beside several films', () => {
  it.each([
    [['Alien.mkv', 'Aliens.mkv', 'Aliens-trailer.mkv', 'Aliens-trailer.fr.srt']],
    [['Alien.mkv', 'Alien.Resurrection.mkv', 'Alien.Resurrection.trailer.mkv', 'Alien.Resurrection.fr.srt']],
    [['Rocky.mkv', 'Rocky.II.mkv', 'Rocky.II.fr.srt', 'Rocky.II.nfo', 'Rocky.II-trailer.mp4']],
    [['Rocky.mkv', 'Rocky.II.mkv', 'Rocky.II.fr.srt', 'Rocky.II.en.nfo', 'Rocky.II.reviews.json']],
  ])('belongs to the one with the longest matching name: %s', async (files) => {
    const { films } = await find(...files.map((file) => `Films/${file}`))
    const short = films.find(({ media }) => /\/(?:Alien|Rocky)\.mkv$/.test(media.path))
    expect(short).toMatchObject({
      trailer: null,
      media: { subtitles: [] },
      metadata: { own: null, localised: new Map() },
      reviews: { own: null, localised: new Map() },
    })
    const long = films.find((film) => film !== short)
    const written = [...(long?.metadata.localised.values() ?? []), long?.metadata.own ?? null]
    const ofLong = [long?.trailer?.path, ...(long?.media.subtitles ?? []).map(({ path }) => path), ...written]
    expect(new Set(ofLong.filter((path) => path != null).map(inside))).toEqual(
      new Set(
        files
          .slice(2)
          .filter((file) => !/trailer\.fr|reviews/.test(file))
          .map((file) => `Films/${file}`),
      ),
    )
  })

  it('has no language in its name unless that language is known', async () => {
    const { films } = await find(
      'Film.mkv',
      'Film.old.nfo',
      'Film.bak.nfo',
      'Film.gsw.nfo',
      'Film-poster.bak.jpg',
      'Film.rip.srt',
    )
    const [film] = films
    expect([...(film?.metadata.localised.keys() ?? [])]).toEqual(['gsw'])
    expect(film?.artwork.local).toEqual(new Map())
    expect(film?.media.subtitles).toMatchObject([{ language: 'und', label: 'rip' }])
  })
})

describe('series', () => {
  it.each([[['Deep/tvshow.nfo']], [[]]])('have episodes in folders of their own, with %j', async (files) => {
    const home = 'Deep/Season 01'
    const { series, films, problems } = await find(
      ...files,
      `${home}/Deep S01E01/Deep S01E01.mkv`,
      `${home}/Deep S01E01/Subs/French.srt`,
      `${home}/Deep S01E01/Sample/sample.mkv`,
      `${home}/Deep.S01E02.1080p/02.mkv`,
      `${home}/Extras/S01E09.mkv`,
      'Deep/Season 02/Disc 1/S02E01.mkv',
      'Deep/Season 02/Disc 2/VIDEO_TS/a.mpg',
    )
    expect(films).toEqual([])
    expect(series.map(({ key, seasons }) => [key, seasons.map(({ episodes }) => episodes.length)])).toEqual([
      ['Deep', [2, 1]],
    ])
    expect(series[0]?.seasons[0]?.episodes[0]?.media.subtitles).toMatchObject([{ language: 'fra' }])
    expect(problems.map(({ path }) => inside(path))).toEqual(['Deep/Season 02/Disc 2/VIDEO_TS'])
  })

  it('of one name in several folders are one series', async () => {
    const { series } = await find(
      'A/Show/tvshow.nfo',
      'A/Show/poster.jpg',
      'A/Show/Season 01/Show S01E01.mkv',
      'B/Show/fanart.jpg',
      'B/Show/Season 01/Show S01E02.mkv',
      'B/Show/Season 02/Show S02E01.mkv',
      'B/Show/Show-trailer.mp4',
    )
    expect(series).toHaveLength(1)
    const [show] = series
    expect(inside(show?.artwork.poster)).toBe('A/Show/poster.jpg')
    expect(inside(show?.artwork.background)).toBe('B/Show/fanart.jpg')
    expect(inside(show?.trailer?.path)).toBe('B/Show/Show-trailer.mp4')
    expect(show?.seasons.map(({ number, episodes }) => [number, episodes.length])).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it('have seasons, episodes and the files of each', async () => {
    const { series, films } = await find(
      'Series/Le Métier/tvshow.nfo',
      'Series/Le Métier/tvshow.en.nfo',
      'Series/Le Métier/poster.jpg',
      'Series/Le Métier/season01-poster.jpg',
      'Series/Le Métier/Le Métier-trailer.mp4',
      'Series/Le Métier/Season 02/Le Métier S02E01.mkv',
      'Series/Le Métier/Season 01/Le Métier S01E02 La trame.mkv',
      'Series/Le Métier/Season 01/Le Métier S01E01.mkv',
      'Series/Le Métier/Season 01/Le Métier S01E01.nfo',
      'Series/Le Métier/Season 01/Le Métier S01E01-thumb.jpg',
      'Series/Le Métier/Season 01/Le Métier S01E01.fr.srt',
      'Series/Le Métier/Season 01/season.nfo',
      'Series/Le Métier/Specials/00 - Avant.mkv',
    )
    expect(films).toEqual([])
    expect(series).toHaveLength(1)
    const [show] = series
    expect(show).toMatchObject({ key: 'Le Métier', title: 'Le Métier' })
    expect(inside(show?.trailer?.path)).toBe('Series/Le Métier/Le Métier-trailer.mp4')
    expect(
      show?.seasons.map(({ number, episodes }) => [number, episodes.map((episode) => episode.number)]),
    ).toEqual([
      [0, [0]],
      [1, [1, 2]],
      [2, [1]],
    ])
    const first = show?.seasons[1]
    expect(inside(first?.artwork.poster)).toBe('Series/Le Métier/season01-poster.jpg')
    expect(inside(first?.metadata.own)).toBe('Series/Le Métier/Season 01/season.nfo')
    expect(first?.episodes.map(({ title }) => title)).toEqual(['', 'La trame'])
    expect(inside(first?.episodes[0]?.artwork.thumbnail)).toBe(
      'Series/Le Métier/Season 01/Le Métier S01E01-thumb.jpg',
    )
    expect(first?.episodes[0]?.media.subtitles).toHaveLength(1)
  })

  it('are imported, except those that have bad numbers', async () => {
    const { series, problems } = await find(
      'Show/Show S01E01.mkv',
      'Show/Show 1x01 again.mkv',
      'Show/nothing.mkv',
    )
    expect(series[0]?.seasons[0]?.episodes).toHaveLength(1)
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['Show/nothing.mkv', 'its name has no episode number'],
      ['Show/Show S01E01.mkv', 'there is another episode 1 of season 1: Show 1x01 again.mkv'],
    ])
  })

  it('may have several episodes in one file, and list the file of one of them', async () => {
    const { series, problems } = await find(
      'Show/Show S01E01-E02 Double.mkv',
      'Show/Show S01E02 Alone.mkv',
      'Show/Show S01E03.mkv',
    )
    expect(series[0]?.seasons[0]?.episodes.map(({ number, last, title }) => [number, last, title])).toEqual([
      [1, 2, 'Double'],
      [3, undefined, ''],
    ])
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['Show/Show S01E02 Alone.mkv', 'there is another episode 2 of season 1: Show S01E01-E02 Double.mkv'],
    ])
  })

  it('are numbered by a dash in a season, or beside tvshow.nfo', async () => {
    const { series, films, problems } = await find(
      'Anime/tvshow.nfo',
      'Anime/[Grp] Anime - 01 [1080p].mkv',
      'Anime/[Grp] Anime - 02 - The Trailer.mkv',
      'Show/tvshow.nfo',
      'Show/Show Season 2/Show - 101 - Title.mkv',
      'Films/Apollo - 13.mkv',
    )
    expect(
      series.map(({ key, seasons }) => [
        key,
        seasons.map(({ number, episodes }) => [number, episodes.map((each) => [each.number, each.title])]),
      ]),
    ).toEqual([
      [
        'Anime',
        [
          [
            1,
            [
              [1, ''],
              [2, 'The Trailer'],
            ],
          ],
        ],
      ],
      ['Show', [[2, [[101, 'Title']]]]],
    ])
    expect(films.map(({ title }) => title)).toEqual(['Apollo - 13'])
    expect(problems).toEqual([])
  })

  it('without numbers are listed beside episodes, unless they are films already or in the folder of a year', async () => {
    known.films = ['Show/Season 1/Known.mkv', 'Deep/Season 1/Making of.mkv']
    const { films, series, problems } = await find(
      ...known.films,
      'Show/Show S01E01.mkv',
      'Show/Season 1/Pilot.mkv',
      'Show/Season 1/Finale.mkv',
      'Show/Saison 2023/Concert.mkv',
      'Deep/Season 1/Deep - 01.mkv',
      'Deep/Season 1/Deep - 02.mkv',
      'Films/Series 7 (2001)/Series 7 (2001).mkv',
      'Matchs/Saison 2024-2025/Finale.mkv',
      'Matchs/S01/Demi-finale.mkv',
    )
    expect(films.map(({ title }) => title).toSorted()).toEqual([
      'Concert',
      'Demi-finale',
      'Finale',
      'Known',
      'Making of',
      'Series 7',
    ])
    expect(series.map(({ key }) => key)).toEqual(['Deep'])
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['Show/Show S01E01.mkv', expect.stringContaining('outside the folder of its series')],
      ['Show/Season 1/Finale.mkv', 'its name has no episode number, such as S01E02'],
      ['Show/Season 1/Pilot.mkv', 'its name has no episode number, such as S01E02'],
    ])
  })

  it('keep the keys that they have, also two of one name', async () => {
    const files = ['A/Show', 'B/show', 'C/SHOW'].map((home) => `${home}/S01/S01E01.mkv`)
    const keysOf = async () =>
      (await find(...files)).series.map(({ key, seasons }) => [
        key,
        seasons.flatMap(({ episodes }) => episodes).length,
      ])
    expect(await keysOf()).toEqual([['Show', 3]])
    known.series = ['show', 'Show']
    expect(await keysOf()).toEqual([
      ['Show', 1],
      ['show', 2],
    ])
  })

  it('keep the episodes that they have, and list a new file with one of their numbers', async () => {
    known.episodes = ['Show/Show S01E02.mkv', 'Show/Show S01E03 b.mkv', 'Show/Show S01E03.mkv']
    const { series, problems } = await find(...known.episodes, 'Show/Show S01E01-E02.mkv')
    expect(series[0]?.seasons[0]?.episodes.map(({ media }) => media.key)).toEqual(known.episodes)
    expect(problems.map(({ path }) => inside(path))).toEqual(['Show/Show S01E01-E02.mkv'])
  })

  it('keep the episodes that they have in another folder, and beside more videos without numbers', async () => {
    known.episodes = ['Show/Show S01E05.mkv']
    const { series, films, problems } = await find(
      ...known.episodes,
      'Show/Season 1/S01E05.mkv',
      'Show/Making of.mkv',
      'Show/Interview.mkv',
    )
    expect(series[0]?.seasons[0]?.episodes.map(({ media }) => media.key)).toEqual(known.episodes)
    expect(films).toEqual([])
    expect(problems.map(({ path }) => inside(path))).toEqual([
      'Show/Interview.mkv',
      'Show/Making of.mkv',
      'Show/Season 1/S01E05.mkv',
    ])
  })

  it('have seasons with their own name before the number only beside tvshow.nfo', async () => {
    const seasons = ['Deep Season 1/Deep S01E01.mkv', 'Deep Season 2/Deep S02E01.mkv'].map(
      (file) => `Deep/${file}`,
    )
    expect((await find(...seasons)).series.map(({ key }) => key)).toEqual(['Deep Season 1', 'Deep Season 2'])
    const { series } = await find('Deep/tvshow.nfo', ...seasons)
    expect(series.map(({ key, seasons }) => [key, seasons.map(({ number }) => number)])).toEqual([
      ['Deep', [1, 2]],
    ])
  })

  it('whose name begins with a number have the number after it', async () => {
    const { series, problems } = await find(
      '24 (2001)/Season 1/24 - 01.mkv',
      '24 (2001)/Season 1/24 - 02 - Title.mkv',
      '9-1-1/Season 1/9-1-1 - 01.mkv',
      '2 Broke Girls/Season 1/2 Broke Girls - 05.mkv',
      '2 Broke Girls/Season 1/06 - 07 Days.mkv',
    )
    expect(
      series.map(({ title, seasons }) => [
        title,
        ...seasons.flatMap(({ episodes }) => episodes.map(({ number }) => number)),
      ]),
    ).toEqual([
      ['2 Broke Girls', 5, 6],
      ['9-1-1', 1],
      ['24', 1, 2],
    ])
    expect(problems).toEqual([])
  })
})

describe('a folder of films stays one', () => {
  const films = ['Films/La Houle (2026)/La Houle (2026).mkv', 'Films/Aube (2025)/Aube (2025).mkv']
  const misplaced = expect.stringMatching(/^it is an episode .+; move it /)
  const findBeside = async (...files: string[]) => {
    const found = await find(...films, ...files)
    return {
      films: found.films.map(({ media }) => media.key).filter((key) => !films.includes(key)),
      kept: found.films.filter(({ media }) => films.includes(media.key)).length,
      series: found.series.map(({ key }) => key),
      problems: found.problems.map(({ path, reason }) => [inside(path), reason]),
    }
  }

  it.each([
    ['Show S01E01.mkv'],
    ['Films/Show S01E01.mkv'],
    ['Season 01/Show S01E01.mkv'],
    ['Season 01/01 - Title.mkv'],
    ['Films/Saison 1/Show 1x01.mkv'],
    ['Specials/Show S00E01.mkv'],
  ])('when an episode is put at %s, which is reported', async (file) => {
    expect(await findBeside(file)).toEqual({ films: [], kept: 2, series: [], problems: [[file, misplaced]] })
  })

  it('when a film’s name begins like that of a season', async () => {
    const file = 'Films/S21 - La machine de mort Khmère rouge (2003)/film.mkv'
    expect(await findBeside(file, 'Series 7 (2001)/Series 7 (2001).mkv')).toEqual({
      films: [file, 'Series 7 (2001)/Series 7 (2001).mkv'],
      kept: 2,
      series: [],
      problems: [],
    })
  })

  it.each(['making-of.mkv', '01 - Making of.mkv'])(
    'when a film has the extra video %s in a folder of specials',
    async (name) => {
      const { problems, ...found } = await findBeside(
        `Films/La Houle (2026)/Bonus/${name}`,
        `Films/Aube (2025)/Specials/${name}`,
      )
      expect(found).toEqual({ films: [], kept: 2, series: [] })
      expect(problems).toEqual([])
    },
  )

  it('when the library’s own folder has tvshow.nfo', async () => {
    expect(await findBeside('tvshow.nfo')).toEqual({
      films: [],
      kept: 2,
      series: [],
      problems: [
        [
          'tvshow.nfo',
          'it makes no series of the library’s own folder; move the series into a folder of its own',
        ],
      ],
    })
  })

  it('but the own folder of one series may be the library', async () => {
    const counts = async (...files: string[]) => {
      const { films, series, problems } = await find(...files)
      const episodes = series.flatMap(({ seasons }) => seasons.flatMap((season) => season.episodes))
      return [films.length, episodes.length, problems.map(({ path }) => inside(path))]
    }
    const season = ['Season 01/Show S01E01.mkv', 'Season 01/Show S01E02.mkv']
    const other = 'Making of/any.mkv'
    expect(await counts(...season)).toEqual([0, 2, []])
    // The other video may be a film that would be lost.
    expect(await counts(other)).toEqual([1, 0, season])
    expect(await counts('tvshow.nfo')).toEqual([0, 2, [other]])
  })

  it('and the series beside them stay series', async () => {
    const files = [
      'Series/Flat/Flat S01E01.mkv',
      'Series/Seasons/Season 01/01.mkv',
      'Series/Seasons/Season 01/02.mkv',
      'Series/Seasons/Bonus/00 - Avant.mkv',
      'Series/Seasons/Making of/any.mkv',
      'Series/Named/tvshow.nfo',
      'Series/Named/Hors-série/1.mkv',
      'Series/Stray S01E01.mkv',
      'Series/Season 04/Stray S04E01.mkv',
    ]
    expect(await findBeside(...files)).toEqual({
      films: [],
      kept: 2,
      series: ['Flat', 'Named', 'Seasons'],
      problems: expect.arrayContaining([
        ['Series/Stray S01E01.mkv', misplaced],
        ['Series/Season 04/Stray S04E01.mkv', misplaced],
        ['Series/Seasons/Making of/any.mkv', 'its name has no episode number'],
      ]),
    })
  })
})

describe('a folder or file with the name of extras', () => {
  const listed = async (...files: string[]) => {
    const { films, series, problems } = await find(...files)
    return {
      films: films.map(({ media }) => media.key),
      series: series.map(({ key }) => key),
      problems: problems.map(({ path }) => inside(path)),
    }
  }

  it('is a title if it is in no folder of a title', async () => {
    expect(
      await listed(
        'Films/Shorts/Ours (2020)/Ours (2020).mkv',
        'Films/Other/Other.mkv',
        'Extras/tvshow.nfo',
        'Extras/Season 01/Extras S01E01.mkv',
        'Films/Flat/the-other.mp4',
        'Films/Flat/mon-interview.mkv',
      ),
    ).toEqual({
      films: [
        'Films/Flat/mon-interview.mkv',
        'Films/Flat/the-other.mp4',
        'Films/Other/Other.mkv',
        'Films/Shorts/Ours (2020)/Ours (2020).mkv',
      ],
      series: ['Extras'],
      problems: [],
    })
  })

  it('contains extras in the folder of a film, of a disc of it, and of a series', async () => {
    const films = [
      'Films/Solo (2020)/Disc/Solo (2020).mkv',
      'Films/Two (2020)/Two (2020).mkv',
      'Unnumbered/Season 01/Unnumbered.mkv',
    ]
    expect(
      await listed(
        ...films,
        'Films/Solo (2020)/Extras/making-of.mkv',
        'Films/Two (2020)/Other/making-of.mkv',
        'Films/Two (2020)/Disc 2/Clips/clip.mkv',
        'Films/Two (2020)/making-interview.mkv',
        'Show/Season 01/Show S01E01.mkv',
        'Show/Extras/S00E01.mkv',
        'Unnumbered/Extras/making-of.mkv',
      ),
    ).toEqual({
      films,
      series: ['Show'],
      problems: [],
    })
  })

  it('contains trailers of the film that it is in or beside, and lists none of them', async () => {
    const film = 'Two/Two.mkv'
    expect(
      await listed(
        film,
        'Two/Disc 2/Other-trailer.mkv',
        'Flat/One.mkv',
        'Flat/Three.mkv',
        'Flat/Specials/Making-trailer.mkv',
      ),
    ).toEqual({
      films: expect.arrayContaining([film, 'Flat/One.mkv', 'Flat/Three.mkv']),
      series: [],
      problems: [],
    })
  })

  it('is listed where nothing tells what it contains', async () => {
    expect(
      await listed(
        'One.mkv',
        'Two.mkv',
        'Shorts/Ours (2020)/Ours (2020).mkv',
        'trailers/One.mp4',
        'Films/Trailers/One.mp4',
        'Films/Three/Three.mkv',
        'Alone/Gone-trailer.mp4',
      ),
    ).toEqual({
      films: ['One.mkv', 'Two.mkv', 'Films/Three/Three.mkv'],
      series: [],
      problems: expect.arrayContaining(['Shorts', 'trailers', 'Films/Trailers', 'Alone/Gone-trailer.mp4']),
    })
  })
})

describe('a library', () => {
  it('follows no links, and skips hidden folders and the folders of systems', async () => {
    await find('.making/hidden.mp4', '@eaDir/thumb.mp4', 'real.mp4')
    await find('#recycle/Dune (2021)/Dune (2021).mkv', '$RECYCLE.BIN/$RABC.mkv', 'lost+found/1.mp4')
    await symlink('/etc', join(folder, 'outside'))
    await symlink(join(folder, 'real.mp4'), join(folder, 'linked.mp4'))
    const { films, problems } = await find()
    expect(films.map(({ title }) => title)).toEqual(['real'])
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['linked.mp4', 'links are not followed'],
      ['outside', 'links are not followed'],
    ])
  })

  it('finds the files of a title whose name has its accents in another form, as on a Mac', async () => {
    const [whole, apart] = ['Café'.normalize('NFC'), 'Café'.normalize('NFD')]
    const beside = ['.nfo', '.en.nfo', '.fr.srt', '-poster.jpg', '-poster.en.jpg']
    const { films } = await find(
      `One/${apart}.mkv`,
      ...beside.map((ending) => `One/${whole}${ending}`),
      `Two/${whole}.mkv`,
      ...beside.map((ending) => `Two/${apart}${ending}`),
    )
    for (const [folderName, video, other] of [
      ['One', apart, whole],
      ['Two', whole, apart],
    ]) {
      const film = films.find(({ media }) => media.key === `${folderName}/${video}.mkv`)
      const at = (ending: string) => `${folderName}/${other}${ending}`
      expect(inside(film?.metadata.own)).toBe(at('.nfo'))
      expect(inside(film?.metadata.localised.get('eng'))).toBe(at('.en.nfo'))
      expect(film?.media.subtitles.map(({ path, language }) => [inside(path), language])).toEqual([
        [at('.fr.srt'), 'fra'],
      ])
      expect(inside(film?.artwork.poster)).toBe(at('-poster.jpg'))
      expect(inside(film?.artwork.local.get('eng')?.poster)).toBe(at('-poster.en.jpg'))
    }
  })

  it('accepts unusual names unchanged', async () => {
    const names = ['-i.mp4', 'a\nb.mp4', 'it\'s "so".mp4', '\u202Egnp.mp4', '$(id).mp4']
    const { films } = await find(...names)
    expect(films.map(({ media }) => media.key).sort()).toEqual(names.sort())
    for (const { title } of films) expect(title).toMatch(/^[^\p{Cc}\u202E]+$/u)
  })

  it('lists copies of discs, and files that are nested too deep', async () => {
    const { problems, films } = await find('Disc/VIDEO_TS/a.mpg', '1/2/3/4/5/6/7/8/9/deep.mp4')
    expect(films).toEqual([])
    expect(problems.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'it is nested too deep',
        'copies of discs are not supported; use one video file instead',
      ]),
    )
  })

  it('lists videos that are not supported, with the reason', async () => {
    const files = ['Solo (2020)/Solo (2020).iso', 'Show/tvshow.nfo', 'Old/old.rm']
    const { problems, films } = await find(...files, 'Dvd/VTS_01_1.VOB', 'Clip/clip.3gp')
    expect(films.map(({ title }) => title)).toEqual(['clip'])
    expect(new Map(problems.map(({ path, reason }) => [inside(path), reason]))).toEqual(
      new Map([
        ['Dvd/VTS_01_1.VOB', 'copies of discs are not supported; use one video file instead'],
        ['Old/old.rm', 'videos in this format are not supported; convert it to .mkv or .mp4'],
        ['Solo (2020)/Solo (2020).iso', 'copies of discs are not supported; use one video file instead'],
      ]),
    )
  })

  it('that is empty or missing contains nothing', async () => {
    expect(await find()).toEqual({ films: [], series: [], otherQualities: [], problems: [] })
    const { unread } = await scanFolder(join(folder, 'missing'), new AbortController().signal)
    expect(unread).toEqual([join(folder, 'missing')])
  })
})
