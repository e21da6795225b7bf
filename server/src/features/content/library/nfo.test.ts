import { describe, expect, it } from 'vitest'
import { isUnrated, readAgeRating } from '../../../metadata/age-ratings.ts'
import { genreKey, genreNames } from '../../../metadata/genres.ts'
import { chapterMarks } from './chapter-marks.ts'
import { readNfo } from './nfo.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

describe('a metadata file', () => {
  it('of a video with several episodes contains all of them, with the strictest rating', () => {
    const episode = (title: string, mpaa: string) =>
      `<episodedetails><title>${title}</title><plot>${title}.</plot><mpaa>${mpaa}</mpaa>
      <actor><name>Ada</name></actor></episodedetails>\n`
    const { nfo, problem } = readNfo(`${head}${episode('Un', '10+')}${episode('Deux', '16+')}`)
    expect(problem).toBeNull()
    expect(nfo).toMatchObject({ title: 'Un / Deux', plot: 'Un.\n\nDeux.', rating: '16+', actors: ['Ada'] })
    const faulty = `${head}${episode('Un', '10+')}${episode('Deux', '12+').replace('</plot>', '')}`
    expect(readNfo(faulty)).toMatchObject({ nfo: { title: 'Un / Deux' }, problem: { line: 5 } })
    expect(readNfo(`${episode('Un', 'odd')}${episode('Deux', '16+')}`).nfo.rating).toBe('odd')
  })

  it('contains the fields of Kodi', () => {
    const { nfo, problem } = readNfo(
      `${head}<movie>
        <title>La Houle</title><originaltitle>La Houle</originaltitle>
        <ratings>
          <rating name="imdb" max="10"><value>5.0</value><votes>7</votes></rating>
          <rating name="ondine" max="10" default="true"><value>8.1</value></rating>
        </ratings>
        <plot>Une ligne.
        Une autre &amp; la même.</plot><tagline>Revenir.</tagline>
        <year>2026</year><premiered>2026-02-11</premiered><mpaa>10+</mpaa>
        <genre>Drame</genre><genre>Science-fiction / Nature</genre>
        <studio>Atelier</studio><director>Ada Lorme</director><director>Ada Lorme</director><director>Ion Bey</director>
        <actor><name>Deux</name><role>B</role><order>1</order></actor>
        <actor><name>Un</name><order>0</order></actor>
        <set><name>Eaux</name></set>
      </movie>`,
    )
    expect(problem).toBeNull()
    expect(nfo).toEqual({
      title: 'La Houle',
      invalidTimes: [],
      plot: 'Une ligne.\nUne autre & la même.',
      tagline: 'Revenir.',
      year: 2026,
      premiered: '2026-02-11',
      rating: '10+',
      score: 4.1,
      studio: 'Atelier',
      tags: [],
      genres: ['Drame', 'Science-fiction', 'Nature'],
      directors: ['Ada Lorme', 'Ion Bey'],
      actors: ['Un', 'Deux'],
      seasonNames: new Map(),
    })
  })

  it('without a year has the year of the first showing', () => {
    const { nfo } = readNfo('<episodedetails><aired>2021-12-31</aired></episodedetails>')
    expect(nfo).toMatchObject({ year: 2021, premiered: '2021-12-31' })
  })

  it('of a series names its seasons', () => {
    const { nfo } = readNfo(
      '<tvshow><namedseason number="2">Le fil</namedseason><namedseason number="x">No</namedseason></tvshow>',
    )
    expect(nfo.seasonNames).toEqual(new Map([[2, 'Le fil']]))
  })

  it('may be followed by an address, and contain markup as text', () => {
    const { nfo, problem } = readNfo(
      '\uFEFF<movie><title><![CDATA[<b>A</b>]]> &lt;script&gt;</title></movie>\nhttps://example.org/?a=1&b=2',
    )
    expect(problem).toBeNull()
    expect(nfo.title).toBe('<b>A</b> <script>')
  })

  it('contains event times, tags, website and slug, and invalid values are ignored', () => {
    const { nfo } = readNfo(
      `${head}<movie><tag>régate</tag><tag>mer</tag><tag>mer</tag><website>https://regate.example/2026?a=1</website>
      <slug>La Grande Régate</slug><starts>2026-07-01T10:00:00+02:00</starts><ends>2026-07-01T12:30Z</ends></movie>`,
    )
    expect(nfo).toMatchObject({
      tags: ['régate', 'mer'],
      website: 'https://regate.example/2026?a=1',
      slug: 'la-grande-regate',
      starts: Date.UTC(2026, 6, 1, 8),
      ends: Date.UTC(2026, 6, 1, 12, 30),
    })
    const { nfo: nonsense } = readNfo(
      `${head}<movie><website>javascript:alert(1)</website><slug>…</slug><starts>2026-07-01T10:00:00</starts><ends>soon</ends></movie>`,
    )
    for (const name of ['website', 'slug', 'starts', 'ends']) expect(nonsense).not.toHaveProperty(name)
  })

  it('loses control and direction marks, and invalid values', () => {
    const { nfo } = readNfo(
      '<movie><title>a\u202Eb</title><year>12</year><premiered>2026-02-31</premiered><rating>11</rating><genre> </genre></movie>',
    )
    expect(nfo).toEqual({
      title: 'a b',
      invalidTimes: [],
      genres: [],
      tags: [],
      directors: [],
      actors: [],
      seasonNames: new Map(),
    })
  })

  it.each([
    [
      'a document type',
      '<!DOCTYPE movie [<!ENTITY a "b">]><movie><title>&a;</title></movie>',
      1,
      'document type',
    ],
    ['an unknown entity', '<movie>\n<title>A</title>\n<plot>&nbsp;</plot></movie>', 3, 'entity'],
    ['another root', '<html><title>A</title></html>', 1, 'root is html'],
    ['no end', '<movie>\n<title>A</title>\n', 3, 'middle'],
    ['no XML', 'https://www.themoviedb.org/movie/1', 1, ''],
    ['nothing', '', 1, 'middle'],
    ['elements without end', `<movie>${'<a>'.repeat(100)}`, 1, 'deep'],
  ])('with %s is listed with its line', (_, text, line, reason) => {
    const { problem } = readNfo(text)
    expect(problem?.line).toBe(line)
    expect(problem?.reason).toContain(reason)
  })

  it('that is truncated keeps the fields that are complete', () => {
    expect(readNfo('<movie><title>A</title><plot>&broken;').nfo.title).toBe('A')
  })

  it('of hostile size takes no time', () => {
    const begun = performance.now()
    readNfo(`<movie><plot>${'x'.repeat(3_000_000)}</plot></movie>`)
    readNfo(`<movie>${'<actor><name>A</name></actor>'.repeat(50_000)}</movie>`)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

it.each<[string, number, boolean]>([
  ['TP', 0, false],
  ['Tous publics', 0, false],
  ['7+', 1, false],
  ['-10', 2, false],
  ['FSK 12', 3, false],
  ['PG-13', 4, false],
  ['TV-Y7', 1, false],
  ['US:R', 6, false],
  ['Rated PG', 2, false],
  ['16', 5, false],
  ['18', 6, false],
  ['NC-17', 6, false],
  ['XXX', 6, true],
  ['US:R / US:Rated R', 6, false],
  ['US:TV-MA / US:TV-MA-LSV', 6, false],
  ['TV-MA-LSV', 6, false],
  ['Rated R for violence', 6, false],
  ['Rated R: strong violence', 6, false],
  ['R-rated', 6, false],
  ['MPAA R', 6, false],
  ['US:PG / US:Rated PG for mild language', 2, false],
  ['Rated PG for violence of the 1940s', 2, false],
  ['US:PG / Germany:16', 5, false],
  ['DE:FSK 6 / US:PG-13 / FR:TP', 4, false],
  ['TP / -10', 2, false],
  ['TP, sauf moins de 10 ans', 2, false],
  ['US:Unrated / US:R', 6, false],
  ['FSK 0', 0, false],
  ['US:G / US:Rated G', 0, false],
  ['E/I', 0, false],
  ['U/A 16+', 5, false],
  ['M 18', 6, false],
  ['M/6', 1, false],
  ['PT:M/12', 3, false],
  ['NZ:R13', 4, false],
  ['R-16', 5, false],
  ['NL:AL', 0, false],
  ['R18+', 6, true],
  ['GB:R18 / XXX', 6, true],
  ['X-rated', 6, true],
  ['FR-TP', 0, false],
  ['FR-U', 0, false],
  ['FR-12', 3, false],
  ['GB-U', 0, false],
  ['GB-PG', 2, false],
  ['GB-R18', 6, true],
  ['CA-G', 0, false],
  ['CA-PG', 2, false],
  ['AU-M', 5, false],
  ['AU-MA15+', 5, false],
  ['NL-AL', 0, false],
  ['ES-A', 0, false],
  ['ES:APTA', 0, false],
  ['ES-A/i', 0, false],
  ['ES-7/i', 1, false],
  ['BR-L', 0, false],
  ['IT-T', 0, false],
  ['SE-Btl', 0, false],
  ['US-NC-17', 6, false],
  ['US-TV-MA', 6, false],
  ['TV-PG', 2, false],
  ['M-18', 6, false],
])('the age rating %s is level %d', (text, moralityLevel, adult) => {
  expect(readAgeRating(text)).toEqual({ moralityLevel, adult })
})

it.each(['AO', 'Interdit', 'Series G', '2012', 'IN-A', 'A', 'GB-XY', 'XX-Rated'])(
  'the age rating %s is not known',
  (text) => {
    expect([readAgeRating(text), isUnrated(text)]).toEqual([undefined, false])
  },
)

it.each(['unrated', 'US:Not Rated / US:NR', 'N/A', 'Rated', 'US:', 'FR-NR'])(
  '%s says that there is no rating',
  (text) => {
    expect([readAgeRating(text), isUnrated(text)]).toEqual([undefined, true])
  },
)

it('genres have names in both languages, in whichever they are written', () => {
  expect(genreKey('Drama')).toBe('Drame')
  expect(genreNames('Drama', 'eng')).toEqual({ fra: 'Drame', eng: 'Drama' })
  expect(genreKey('science fiction')).toBe('Science-fiction')
  expect([genreKey('Noir'), genreNames('Noir', 'fra')]).toEqual(['Noir', { fra: 'Noir' }])
})

it('V3-29 chapters become marks: intro, credits, and the rest', () => {
  const chapter = (startSeconds: number, endSeconds: number, title: string) => ({
    startSeconds,
    endSeconds,
    title,
  })
  const marks = chapterMarks(
    [
      chapter(0, 10, 'Intro'),
      chapter(10, 50, 'Le large'),
      chapter(50, 60, ''),
      chapter(60, 99, 'Credits'),
      chapter(200, 300, 'x'),
    ],
    70,
  )
  expect(marks).toEqual([
    { type: 'intro', start: 0, end: 10, label: 'Intro' },
    { type: 'chapter', start: 10, end: 50, label: 'Le large' },
    { type: 'chapter', start: 50, end: 60, label: '3' },
    { type: 'credit', start: 60, end: 70, label: 'Credits' },
  ])
  expect(
    chapterMarks([chapter(0, 5, 'Générique'), chapter(60, 70, 'générique')], 70).map(({ type }) => type),
  ).toEqual(['intro', 'credit'])
})
