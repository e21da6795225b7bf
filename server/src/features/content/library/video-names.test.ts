import { describe, expect, it } from 'vitest'
import { isVideo, oneLine, parseEpisode, parseSeason, parseTitle, roleOf } from './video-names.ts'

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
  ])('%s is %s', (name, role) => expect(roleOf(name)).toBe(role))

  it('videos by their extension', () => {
    expect(['a.mp4', 'a.MKV', 'a.m2ts', '.mp4'].map(isVideo)).toEqual([true, true, true, true])
    expect(['a.txt', 'mp4', 'a.mp4.part', 'a.nfo', 'a.iso'].some(isVideo)).toBe(false)
  })
})

describe('episodes', () => {
  it.each<[string, boolean, ReturnType<typeof parseEpisode>]>([
    ['Le Métier S01E02.mkv', false, { season: 1, episode: 2, rest: '' }],
    ['le.metier.s01e02.la.trame.mkv', false, { season: 1, episode: 2, rest: 'la trame' }],
    ['Show S01E01E02 - Double.mkv', false, { season: 1, episode: 1, rest: 'Double' }],
    ['Show S01E01-02 Double.mkv', false, { season: 1, episode: 1, rest: 'Double' }],
    ['Show 2x07 Title.mkv', false, { season: 2, episode: 7, rest: 'Title' }],
    ['Show - s2024e105.mkv', false, { season: 2024, episode: 105, rest: '' }],
    ['02 - Title.mkv', true, { episode: 2, rest: 'Title' }],
    ['Episode 3.mkv', true, { episode: 3, rest: '' }],
    ['02 - Title.mkv', false, undefined],
    ['Film 1920x1080.mkv', false, undefined],
    ['No number.mkv', true, undefined],
  ])('%s', (name, inSeason, number) => expect(parseEpisode(name, inSeason)).toEqual(number))

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
  ])('the folder %s is season %s', (name, season) => expect(parseSeason(name)).toBe(season))
})

it('turns foreign text into one short line', () => {
  expect(oneLine(' a\u0000\t b\r\n\u2066c ')).toBe('a b c')
  expect(oneLine('x'.repeat(1000))).toHaveLength(300)
})
