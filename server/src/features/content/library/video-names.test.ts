import { describe, expect, it } from 'vitest'
import {
  type EpisodePlace,
  isVideo,
  oneLine,
  parseEpisode,
  parseSeason,
  parseTitle,
  roleOf,
} from './video-names.ts'

describe('films', () => {
  it.each<[string, string, number | null]>([
    ['La Houle (2026)', 'La Houle', 2026],
    ['The.Reef.2019.1080p.BluRay.x264', 'The Reef', 2019],
    ['The_Reef_(2019)', 'The Reef', 2019],
    ['Heat.1995', 'Heat', 1995],
    ['Blade.Runner.2049.2017.1080p', 'Blade Runner 2049', 2017],
    ['Blade.Runner.2049.1080p', 'Blade Runner 2049', null],
    ['Wonder.Woman.1984.2020.2160p.WEB', 'Wonder Woman 1984', 2020],
    ['2012.2009.1080p', '2012', 2009],
    ['Solo.2018.1080p.Tour.2020.WEB', 'Solo', 2018],
    ['2001 - A Space Odyssey (1968)', '2001 - A Space Odyssey', 1968],
    ['1917', '1917', null],
    ['Blade Runner 2049', 'Blade Runner 2049', null],
    ['Dunes [tmdbid=7] (2021)', 'Dunes', 2021],
    ['Sans année', 'Sans année', null],
    ['a\nb\u202Egnp.mp4', 'a b gnp.mp4', null],
    ['...', '?', null],
    ['S.W.A.T. (2003)', 'S.W.A.T.', 2003],
    ['E.T.the.Extra-Terrestrial.1982.1080p', 'E.T. the Extra-Terrestrial', 1982],
    ['I.Am.Legend.2007.1080p', 'I Am Legend', 2007],
    ['The.Reef (2019)', 'The Reef', 2019],
    ['The Mission.X (2019)', 'The Mission.X', 2019],
    ['[REC] (2007)', '[REC]', 2007],
    ['[REC]² (2009)', '[REC]²', 2009],
    ['[Group] La Houle (2026)', 'La Houle', 2026],
    ['La Houle 1080p BluRay x264', 'La Houle', null],
    ['La Houle - 2160p', 'La Houle', null],
    ['La.Houle.WEB-DL.x264-GRP', 'La Houle', null],
    ['The Web', 'The Web', null],
    ['The.4K.Story.2019', 'The 4K Story', 2019],
    ['4K', '4K', null],
    ['1080p', '1080p', null],
  ])('%j', (name, title, year) =>
    expect(parseTitle(name, Date.UTC(2026, 5, 1))).toMatchObject({ title, year }),
  )

  it.each([
    ['film.mp4', 'main'],
    ['film-trailer.mp4', 'trailer'],
    ['Trailer.mkv', 'trailer'],
    ['film-trailer2.mkv', 'trailer'],
    ['film-behindthescenes.mp4', 'extra'],
    ['sample.mkv', 'extra'],
    ['film-sample.mkv', 'extra'],
    ['Trailer Park Boys.mkv', 'main'],
    ['The Interview.mkv', 'main'],
  ])('%s is %s', (name, role) => expect(roleOf(name, 'elsewhere')).toBe(role))

  it('videos by their extension', () => {
    expect(['a.mp4', 'a.MKV', 'a.m2ts', '.mp4', 'a.3gp', 'a.vob', 'a.ogm', 'a.rmvb'].every(isVideo)).toBe(
      true,
    )
    expect(['a.txt', 'mp4', 'a.mp4.part', 'a.nfo', 'a.iso', 'VTS_01_1.VOB'].some(isVideo)).toBe(false)
  })
})

describe('episodes', () => {
  it.each<[string, EpisodePlace, ReturnType<typeof parseEpisode>]>([
    ['Le Métier S01E02.mkv', 'elsewhere', { season: 1, episode: 2, rest: '' }],
    ['le.metier.s01e02.la.trame.mkv', 'elsewhere', { season: 1, episode: 2, rest: 'la trame' }],
    ['Show 2x07 Title.mkv', 'elsewhere', { season: 2, episode: 7, rest: 'Title' }],
    ['Show - s2024e105.mkv', 'elsewhere', { season: 2024, episode: 105, rest: '' }],
    ['02 - Title.mkv', 'season', { episode: 2, rest: 'Title' }],
    ['Episode 3.mkv', 'season', { episode: 3, rest: '' }],
    ['Show - 01 - Title.mkv', 'season', { episode: 1, rest: 'Title' }],
    ['Show - 101.mkv', 'season', { episode: 101, rest: '' }],
    ['[Grp] Show - 01v2 [1080p].mkv', 'series', { season: 1, episode: 1, rest: '' }],
    ['[Grp]_Show_-_12_(BD_1080p).mkv', 'series', { season: 1, episode: 12, rest: '' }],
    ['Show - 2005 - Title.mkv', 'season', undefined],
    ['Show - 9-1-1.mkv', 'series', undefined],
    ['02 - Title.mkv', 'series', undefined],
    ['Show - 01.mkv', 'elsewhere', undefined],
    ['02 - Title.mkv', 'elsewhere', undefined],
    ['Film 1920x1080.mkv', 'elsewhere', undefined],
    ['No number.mkv', 'season', undefined],
  ])('%s in %s', (name, place, number) => expect(parseEpisode(name, place)).toEqual(number))

  it.each<[string, number, number | undefined, string]>([
    ['Show S01E01E02 - Double.mkv', 1, 2, 'Double'],
    ['Show S01E01-02 Double.mkv', 1, 2, 'Double'],
    ['Show S01E01-E02 Double.mkv', 1, 2, 'Double'],
    ['Show.S01E01-E02-E03.mkv', 1, 3, ''],
    ['Show S01E01-S01E02 Double.mkv', 1, 2, 'Double'],
    ['Show.1x01-1x02.Double.mkv', 1, 2, 'Double'],
    ['Show 1x01x02 Double.mkv', 1, 2, 'Double'],
    ['Show 1x01-02 Double.mkv', 1, 2, 'Double'],
    ['01-02 - Double.mkv', 1, 2, 'Double'],
    ['Show - 01-02 - Double.mkv', 1, 2, 'Double'],
    ['Episode 3-4.mkv', 3, 4, ''],
    ['Show S01E01-24 Hours.mkv', 1, undefined, '24 Hours'],
    ['Show S01E02-S02E03.mkv', 2, undefined, 'S02E03'],
    ['Show S01E02-1080p.mkv', 2, undefined, ''],
    ['Show.S01E02.x264-GRP.mkv', 2, undefined, ''],
    ['Show.1x02.x264-GRP.mkv', 2, undefined, ''],
    ['Show S01E02-E01.mkv', 2, undefined, 'E01'],
    ['Show S01E01-3 Days.mkv', 1, undefined, '3 Days'],
    ['Show S01E03-4 Mariages.mkv', 3, undefined, '4 Mariages'],
    ['01-2 jours.mkv', 1, undefined, '2 jours'],
    ['Show.S01E263.x264-GRP.mkv', 263, undefined, ''],
    ['Show.1x263.x264-GRP.mkv', 263, undefined, ''],
    ['Show S01E01 x2.mkv', 1, undefined, 'x2'],
    ['E\u0301pisode 1-2.mkv', 1, 2, ''],
    ['Épisode 1 et 2.mkv', 1, 2, ''],
    ['Episode 1 & 2.mkv', 1, 2, ''],
    ['01 et 3 - Double.mkv', 1, undefined, 'et 3 - Double'],
  ])('%s contains %s to %s', (name, first, last, rest) => {
    const { episode, last: found, rest: title } = parseEpisode(name, 'season') ?? {}
    expect([episode, found, title]).toEqual([first, last, rest])
  })

  it.each([
    ['Show.S01E02.1080p.WEB-DL.x264-GROUP.mkv', ''],
    ['Show.S01E02.FRENCH.1080p.WEB.H264-GRP.mkv', ''],
    ['Show.S01E02.The.Title.1080p.WEB.H264-GRP.mkv', 'The Title'],
    ['Show.S01E02.The.Title.WEB.x264-GRP.mkv', 'The Title'],
    ['Show.S01E02.The.Title.MULTi.2160p.UHD.BluRay.HEVC-GRP.mkv', 'The Title'],
    ['Show.S01E02.The.Web.1080p.WEB-DL.mkv', 'The Web'],
    ['Show.S01E02.The.French.720p.HDTV.mkv', 'The French'],
    ['show.s01e02.web.x264-tbs.mkv', ''],
    ['Show.S01E02.The.Title.German.DL.1080p.WEB.mkv', 'The Title'],
    ['Show (2005) - S01E02 (1080p).mkv', ''],
    ['Show (2005) - S01E02 - Title (4K).mkv', 'Title'],
    ['Show S01E02 - Title [WEBDL-1080p].mkv', 'Title'],
    ['Show S01E02 [1080p] Title.mkv', 'Title'],
    ['Show S01E02 - The Web.mkv', 'The Web'],
    ['Show S01E02 - Blu.mkv', 'Blu'],
    ['Show S01E02 - 4K.mkv', '4K'],
    ['Show.S01E02.The.Web.mkv', 'The Web'],
    ['Show.S01E02.Route.264.mkv', 'Route 264'],
  ])('the title of %s is %j', (name, title) => expect(parseEpisode(name, 'season')?.rest).toBe(title))

  it.each([
    ['S01E03 - The Trailer.mkv', 'elsewhere', 'main'],
    ['S01E03.Trailer.mkv', 'elsewhere', 'main'],
    ['03 - The Trailer.mkv', 'season', 'main'],
    ['S01E03-trailer.mkv', 'season', 'trailer'],
    ['300 trailer.mkv', 'elsewhere', 'trailer'],
    ['trailer.mkv', 'season', 'trailer'],
  ] as const)('%s in %s is %s', (name, place, role) => expect(roleOf(name, place)).toBe(role))

  it.each([
    ['Season 01', 1],
    ['Saison 2', 2],
    ['S03', 3],
    ['Staffel 4', 4],
    ['Specials', 0],
    ['Season 1 - The Begin', 1],
    ['Seasons', undefined],
    ['Films', undefined],
    ['S', undefined],
    ['Сезон 1', 1],
    ['Seizoen 2', 2],
    ['Sezon 3', 3],
    ['Open Saison 2', 2],
    ['Open Season - Season 3', undefined],
    ['Other Season 2', undefined],
  ])('the folder %s in Open (2006) is season %s', (name, season) =>
    expect(parseSeason(name, 'Open (2006)')).toBe(season),
  )

  it('the second film of a collection is no season', () =>
    expect(parseSeason('Open Season 2', 'Open Season')).toBeUndefined())
})

it('turns foreign text into one short line', () => {
  expect(oneLine(' a\u0000\t b\r\n\u2066c ')).toBe('a b c')
  expect(oneLine('x'.repeat(1000))).toHaveLength(300)
})
