import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scanFolder } from '../../../files/scan-folder.ts'
import { type FoundTitles, findTitles } from './find-titles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-titles-'))
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

async function find(...files: string[]): Promise<FoundTitles> {
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  const { root, problems } = await scanFolder(folder, new AbortController().signal)
  const found = findTitles(root)
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

  it('take their name from their folder if that is more precise', async () => {
    const { films } = await find('Dunes (2021)/film.mkv', 'Dunes (2021)/trailers/any.mp4', 'Films/alone.mkv')
    expect(films.map(({ title, year }) => [title, year])).toEqual([
      ['Dunes', 2021],
      ['alone', null],
    ])
    expect(inside(films[0]?.trailer?.path)).toBe('Dunes (2021)/trailers/any.mp4')
  })
})

describe('series', () => {
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
      ['Show/Show S01E01.mkv', 'there is another episode 1 of season 1'],
    ])
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

describe('a library', () => {
  it('follows no links, and skips hidden folders', async () => {
    await find('.making/hidden.mp4', '@eaDir/thumb.mp4', 'real.mp4')
    await symlink('/etc', join(folder, 'outside'))
    await symlink(join(folder, 'real.mp4'), join(folder, 'linked.mp4'))
    const { films, problems } = await find()
    expect(films.map(({ title }) => title)).toEqual(['real'])
    expect(problems.map(({ path, reason }) => [inside(path), reason])).toEqual([
      ['linked.mp4', 'links are not followed'],
      ['outside', 'links are not followed'],
    ])
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

  it('that is empty or missing contains nothing', async () => {
    expect(await find()).toEqual({ films: [], series: [], problems: [] })
    const { unread } = await scanFolder(join(folder, 'missing'), new AbortController().signal)
    expect(unread).toEqual([join(folder, 'missing')])
  })
})
