import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { programmes } from './guide.table.ts'
import { readXmltv } from './xmltv-reader.ts'

const HOUR = 3600_000
const HEAD = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n`
const ACCENTED = 'Été à Łódź'
/** Builds a guide with one programme. The guide declares the given encoding. */
const declaring = (encoding: string, title = ACCENTED) =>
  guideOf(show('un', 0, 1, `<title>${title}</title>`), HEAD(encoding))

function utf16(text: string, order: 'le' | 'be', marked: boolean): Buffer {
  const bytes = Buffer.from(`${marked ? '\uFEFF' : ''}${text}`, 'utf16le')
  return order === 'le' ? bytes : bytes.swap16()
}

/** Compresses a guide and appends bytes, such as the error page of a proxy. */
const packedBefore = (text: string, after: string | Buffer) =>
  Buffer.concat([gzipSync(text), Buffer.from(after)])

/** Yields the bytes in two chunks. */
async function* inPieces(bytes: Buffer, at: number): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, at)
  yield bytes.subarray(at)
}

const ENCODED: [what: string, bytes: Buffer, title: string][] = [
  [
    'UTF-8 with a byte order mark, whatever it declares',
    Buffer.from(`\uFEFF${declaring('ISO-8859-1')}`),
    ACCENTED,
  ],
  ['Latin-1, as declared', Buffer.from(declaring('ISO-8859-1', 'Été'), 'latin1'), 'Été'],
  ['Latin-1 under another name', Buffer.from(declaring('latin1', 'Été'), 'latin1'), 'Été'],
  ['UTF-16 with a byte order mark', utf16(declaring('UTF-16'), 'le', true), ACCENTED],
  ['big-endian UTF-16 with a byte order mark', utf16(declaring('UTF-16'), 'be', true), ACCENTED],
  ['UTF-16 without a byte order mark', utf16(declaring('UTF-16'), 'le', false), ACCENTED],
  ['big-endian UTF-16 without a byte order mark', utf16(declaring('UTF-16'), 'be', false), ACCENTED],
  ['UTF-8 that declares UTF-16', Buffer.from(declaring('utf-16')), ACCENTED],
  ['UTF-8 that declares UTF-16LE', Buffer.from(declaring('UTF-16LE')), ACCENTED],
  ['UTF-8 with Windows line ends', Buffer.from(declaring('UTF-8').replaceAll('\n', '\r\n')), ACCENTED],
  ['gzip padded with zeros', Buffer.concat([gzipSync(declaring('UTF-8')), Buffer.alloc(600)]), ACCENTED],
  [
    'two pieces of gzip',
    Buffer.concat([gzipSync(declaring('UTF-8').slice(0, 200)), gzipSync(declaring('UTF-8').slice(200))]),
    ACCENTED,
  ],
]

describe.each(MAIN_DB)('unusual guides, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string

  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
    const list = join(folder, 'list.m3u')
    await writeFile(list, '#EXTM3U\n#EXTINF:-1 tvg-id="un",Un\nhttp://stream.example/un.m3u8\n')
    await runCommand(service, 'channels import', [list])
  })
  beforeEach(async () => {
    await service.context.db.delete(programmes)
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function take(text: string | Buffer, options: Record<string, string> = {}): Promise<string> {
    const path = join(folder, 'guide.xml')
    await writeFile(path, text)
    return await runCommand(service, 'guide import', [path], { name: 'guide', ...options })
  }
  /** Returns titles with their start and end, in hours from noon. */
  const shown = async () =>
    (await service.context.db.select().from(programmes))
      .toSorted((one, other) => one.startsAt - other.startsAt)
      .map(({ titles, startsAt, endsAt }) => [titles.fra, (startsAt - NOON) / HOUR, (endsAt - NOON) / HOUR])

  it.each(ENCODED)('reads a guide that is %s', async (_what, bytes, title) => {
    await take(bytes)
    expect(await shown()).toEqual([[title, 0, 1]])
  })

  it('reads a guide that wrongly declares UTF-8, wholly or in part, and reports it', async () => {
    const said = await take(
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n'),
        Buffer.from(`${show('un', 0, 1, `<title>${ACCENTED}</title><desc>${'Été. '.repeat(800)}</desc>`)}\n`),
        Buffer.from(`${show('un', 1, 2, `<title>Été à la mer</title>`)}\n`, 'latin1'),
        Buffer.from(`${show('un', 2, 3, `<title>${ACCENTED}</title>`)}\n</tv>`),
      ]),
    )
    expect((await shown()).map(([title]) => title)).toEqual([ACCENTED, 'Été à la mer', ACCENTED])
    expect(said.match(/line 4: Parts of it are not UTF-8/g)).toHaveLength(1)
  })

  it('imports a guide with bytes after its gzip data, and reports them', async () => {
    const guide = declaring('UTF-8')
    const said = await take(packedBefore(guide, '<!-- served by a tired proxy -->'))
    const end = gzipSync(guide).length
    expect(said).toContain(`line 4: The bytes after its gzip stream, from byte ${end} on, are left out.`)
    expect(await shown()).toEqual([[ACCENTED, 0, 1]])
    expect(await runCommand(service, 'guide sources list')).toContain('1 remarks')
    // The extra bytes begin another gzip stream, so they are part of the guide. This stream is truncated, so the
    // import is rejected.
    await expect(take(packedBefore(guide, gzipSync(guide).subarray(0, 30)))).rejects.toThrow(
      `Its gzip stream is broken: it ends in the middle, at byte ${end + 30}. The guide stays as it was.`,
    )
    expect(await take(packedBefore(guide, Buffer.alloc(30)))).not.toContain('gzip')
  })

  it('keeps no source whose first import fails, and keeps one that was imported before', async () => {
    const path = join(folder, 'mistyped.xml')
    const again = async () => await runCommand(service, 'guide import', [path])
    await writeFile(path, '<html>Not found</html>')
    await expect(again()).rejects.toThrow('The guide stays as it was.')
    expect(await runCommand(service, 'guide sources list')).not.toContain('mistyped')
    await writeFile(path, declaring('UTF-8'))
    await again()
    await writeFile(path, '<html>Not found</html>')
    await expect(again()).rejects.toThrow('The guide stays as it was.')
    expect(await runCommand(service, 'guide sources list')).toContain('mistyped')
    await runCommand(service, 'guide sources remove', ['mistyped'])
  })

  it('drops a programme of no length during another one, keeps it where there is none, and ignores an end before the start', async () => {
    const said = await take(
      guideOf(
        [
          show('un', 0, 0, '<title>Mark before</title>'),
          show('un', 0, 2, '<title>Film</title>'),
          show('un', 1, 1, '<title>Mark within</title>'),
          show('un', 1.5, 1, '<title>Backwards within</title>'),
          show('un', 2, 3, '<title>News</title>'),
          show('un', 2, 2, '<title>Mark after</title>'),
          show('un', 3, 3, '<title>Alone</title>'),
          show('un', 4, 5, '<title>Late</title>'),
        ].join('\n'),
      ),
    )
    expect(await shown()).toEqual([
      ['Film', 0, 1.5],
      ['Backwards within', 1.5, 2],
      ['News', 2, 3],
      ['Alone', 3, 4],
      ['Late', 4, 5],
    ])
    expect(said).toContain('line 4: Line 5 already has a programme at the same time.')
    expect(said).toContain('line 6: It has no duration, and falls into the programme of line 5.')
    expect(said).toContain('line 7: It ends before it begins; its end is where the next one begins.')
    expect(said).toContain('3 duplicates, 1 overlaps cut, 2 ends completed, 0 gaps')
  })

  it('keeps a programme of a whole day complete on the day when clocks go back', async () => {
    service.clock.set(Date.UTC(2026, 9, 24, 12))
    await take(
      guideOf(
        '<programme channel="un" start="20261025000000" stop="20261026000000"><title>Mire</title></programme>',
      ),
      { timeZone: 'Europe/Paris' },
    )
    const [row] = await service.context.db.select().from(programmes)
    service.clock.set(NOON)
    expect(((row?.endsAt ?? 0) - (row?.startsAt ?? 0)) / HOUR).toBe(25)
  })

  it('ignores times that no clock shows', async () => {
    const said = await take(
      guideOf(
        [
          '<programme channel="un" start="99991231235959 +0000" stop="99991231235959 +0000"><title>Never</title></programme>',
          '<programme channel="un" start="20260115120000 +0000" stop="99991231235959 +0000"><title>Until further notice</title></programme>',
          '<programme channel="un" start="20260115130000 +9900" stop="20260115140000 +0000"><title>Nowhere</title></programme>',
          '<programme channel="un" start="00000000000000 +0000"><title>Zero</title></programme>',
          '<programme channel="un" start="-20260115120000"><title>Negative</title></programme>',
          show('un', 2, 3, '<title>News</title>'),
        ].join('\n'),
      ),
    )
    expect(await shown()).toEqual([
      ['Until further notice', 0, 2],
      ['News', 2, 3],
    ])
    expect(said).toContain('Of 6 read: 4 refused')
  })

  it('continues after stray end tags, and imports the whole guide', async () => {
    const said = await take(
      guideOf(
        [
          show('un', 0, 1, '<title>First</title><desc>A bold</b> word</desc><category>News</category>'),
          show(
            'un',
            1,
            2,
            '<title>Sec<i>ond</title></i></i><desc>Line<br>after<br/>line &amp; <p>more</desc>',
          ),
          show('un', 2, 3, '<title>Third</titel></title><date>2019</date>'),
          show('un', 3, 4, '<title>Fourth</title></desc></credits>'),
          '</programme></channel>',
          show('un', 4, 5, '<title>Fifth</title>'),
        ].join('\r\n'),
      ),
    )
    expect((await shown()).map(([title]) => title)).toEqual(['First', 'Second', 'Third', 'Fourth', 'Fifth'])
    const rows = await service.context.db.select().from(programmes)
    const of = (hour: number) => rows.find(({ startsAt }) => startsAt === NOON + hour * HOUR)
    expect(of(0)).toMatchObject({ descriptions: { fra: 'A bold word' }, genres: ['News'] })
    expect(of(1)?.descriptions.fra).toBe('Line after line & more')
    expect(of(2)?.year).toBe(2019)
    expect(said).toContain('line 4: XML fault ignored: unmatched closing tag: b.')
    expect(said).toContain('line 8: XML fault ignored: unmatched closing tag: programme.')
    expect(said.match(/unmatched closing tag/g)).toHaveLength(8)
  })

  it('continues after a stray end tag wherever the file is split into chunks', async () => {
    const text = guideOf(show('un', 0, 1, '<title>😀 A</b> &amp; B</title></b>\r\n<desc>C</desc></i>'))
    const bytes = Buffer.from(text)
    for (let at = 512; at < bytes.length + 400; at++) {
      const padded = Buffer.concat([Buffer.from(' '.repeat(400)), bytes])
      const told: { elements: { text: string }[]; line: number }[] = []
      await readXmltv(inPieces(padded, at), {
        channel: () => undefined,
        wants: () => true,
        programme: (programme) => told.push(programme),
        remark: () => undefined,
      })
      expect(told.map(({ elements }) => elements.map((each) => each.text))).toEqual([['😀 A & B', 'C']])
    }
  })

  it('reports a second guide in the same file', async () => {
    const one = guideOf(show('un', 0, 1, '<title>First</title>'))
    const other = guideOf(show('un', 1, 2, '<title>Second</title>'))
    for (const text of [one + other, Buffer.concat([gzipSync(one), gzipSync(other)])])
      expect(await take(text)).toContain('line 5: Content after the end of the guide is left out.')
    expect((await shown()).map(([title]) => title)).toEqual(['First'])
  })

  it('reads HTML entities, and more bare ampersands than the limit of faults', async () => {
    const unknown = show('nobody', 0, 1, '<title>Tom & Jerry</title>')
    await take(
      guideOf(
        `${`${unknown}\n`.repeat(10_500)}${show('un', 0, 1, '<title>&Eacute;t&eacute;&nbsp;&hellip; &euro; &rarr; &zcaron;&nosuch;&constructor;</title>')}`,
      ),
    )
    expect(await shown()).toEqual([['Été … € → ž&nosuch;&constructor;', 0, 1]])
  })

  it('removes HTML markup from texts, and entities that are escaped twice', async () => {
    await take(
      guideOf(
        [
          show(
            'un',
            0,
            1,
            '<title><![CDATA[<b>Tom</b> & Jerry&#39;s <3]]></title><desc><![CDATA[<p class="x">One</p><p>Two<br/>three &eacute; <story></p>]]></desc>',
          ),
          show(
            'un',
            1,
            2,
            '<title>&lt;i&gt;Tom&lt;/i&gt; &amp;amp; Jerry &amp;nosuch; &amp;toString; &amp;#9999999; &amp;#55357; it&amp;#x2019;s</title>',
          ),
        ].join('\n'),
      ),
    )
    const rows = await service.context.db.select().from(programmes).orderBy(programmes.startsAt)
    expect(rows.map(({ titles, descriptions }) => [titles.fra, descriptions.fra])).toEqual([
      ["Tom & Jerry's <3", 'One\n\nTwo three é <story>'],
      ['Tom & Jerry &nosuch; &toString; \uFFFD \uFFFD it’s', undefined],
    ])
  })

  it('imports a guide whose texts are names of built-in properties', async () => {
    await writeFile(
      join(folder, 'inside.m3u'),
      '#EXTM3U\n#EXTINF:-1 tvg-id="constructor",Inside\nhttp://stream.example/inside.m3u8\n',
    )
    await runCommand(service, 'channels import', [join(folder, 'inside.m3u')])
    const inside =
      '<title>Inside</title><credits><constructor>A</constructor><actor>B</actor></credits><length units="constructor">9</length><language>constructor</language><orig-language>valueOf</orig-language>'
    const said = await take(
      guideOf(`${show('constructor', 0, 1, inside)}\n${show('__proto__', 0, 1, '<title>Outside</title>')}`),
    )
    expect(said).toContain('1 programmes added')
    expect(said).toContain('line 5: Channel __proto__ is not known here')
    const [row] = await service.context.db.select().from(programmes)
    expect(row).toMatchObject({ audioLanguages: [], details: { credits: [{ role: 'actor', name: 'B' }] } })
    await runCommand(service, 'channels lists remove', ['inside'])
  })

  it('reads times in handwritten formats, and reports invalid ones', async () => {
    const said = await take(
      guideOf(
        [
          '<programme channel="un" start="20260115130000 +01" stop="20260115183000 +0530"><title>Zones</title></programme>',
          '<programme channel="un" start="2026-01-15T23:00:00Z" stop="20260115240000"><title>End of the day</title></programme>',
          '<programme channel="un" start="20260116010000" stop="later"><title>Open</title></programme>',
          '<programme channel="un" start="20260115250000" stop="20260116"><title>Never</title></programme>',
          '<programme channel="un" start="20260115203000 +530" stop="20260115210000 +5"><title>Short</title></programme>',
          '<programme channel="un" start="20260115180000 UTC+02:00" stop="20260115180000 gmt+1"><title>Named</title></programme>',
        ].join('\n'),
      ),
      { timeZone: 'UTC' },
    )
    expect(await shown()).toEqual([
      ['Zones', 0, 1],
      ['Short', 3, 4],
      ['Named', 4, 5],
      ['End of the day', 11, 12],
      ['Open', 13, 14],
    ])
    expect(said).toContain('line 6: Its end later is not a time; it is ignored.')
    expect(said).toContain('line 7: Its start 20260115250000 is not a time.')
  })

  it('reads star ratings beside a picture, and without an element around them', async () => {
    await take(
      guideOf(
        [
          show('un', 0, 1, '<title>A</title><star-rating><icon src="x"/><value>3/5</value></star-rating>'),
          show('un', 1, 2, '<title>B</title><star-rating>8/10</star-rating>'),
        ].join('\n'),
      ),
    )
    const rows = await service.context.db.select().from(programmes)
    expect(new Set(rows.map(({ details }) => details.stars))).toEqual(new Set(['3/5', '8/10']))
  })

  it('reads season and episode in texts of several languages', async () => {
    const EPISODES: [text: string, season: number | null, episode: number | null][] = [
      ['S02E05', 2, 5],
      ['s2, ep. 5/12', 2, 5],
      ['Season 2 Episode 5', 2, 5],
      ['Series 3 Episode 4 of 8', 3, 4],
      ['Saison 2 Épisode 5', 2, 5],
      ['Saison 2 - Épisode n° 5', 2, 5],
      ['Épisode 5 (Saison 2)', 2, 5],
      ['Stagione 2 Episodio 5', 2, 5],
      ['Staffel 2, Folge 5', 2, 5],
      ['Serie 3 Folge 4', 3, 4],
      ['Temporada 2 Capítulo 5', 2, 5],
      ['5/12', null, 5],
      ['(5 / 12)', null, 5],
      ['Saison 2', 2, null],
      ['Saison 2 (5/12)', 2, 5],
      ['Saison 2 - 5/12', 2, 5],
      ['2x05', 2, 5],
      ['02x113', 2, 113],
      ['1920x1080', null, null],
      ['16x9', null, null],
      ['Partie 2', null, null],
      ['Teil 2', null, null],
    ]
    await take(
      guideOf(
        EPISODES.map(([text], hour) =>
          show('un', hour, hour + 1, `<title>A</title><episode-num system="onscreen">${text}</episode-num>`),
        ).join('\n'),
      ),
    )
    const rows = await service.context.db.select().from(programmes).orderBy(programmes.startsAt)
    expect(
      rows.map(({ details, seasonNumber, episodeNumber }) => [
        details.episodeText,
        seasonNumber,
        episodeNumber,
      ]),
    ).toEqual(EPISODES)
  })

  it('takes the strictest age rating, and rates a programme without a known one as unrated', async () => {
    const rated = (...values: string[]) =>
      values.map((value) => `<rating><value>${value}</value></rating>`).join('')
    await take(
      guideOf(
        [
          show('un', 0, 1, `<title>A</title>${rated('PG', 'US:R / US:Rated R')}`),
          show('un', 1, 2, `<title>B</title>${rated('Rated PG for language')}`),
          show('un', 2, 3, `<title>C</title>${rated('Unrated', 'AO')}`),
          show('un', 3, 4, `<title>D</title>${rated('TVMA')}`),
          show('un', 4, 5, `<title>E</title>${rated('TVPG')}`),
          show('un', 5, 6, `<title>F</title>${rated('TV G')}`),
          show('un', 6, 7, `<title>G</title>${rated('TVY7')}`),
        ].join('\n'),
      ),
      { unrated: '4' },
    )
    const rows = await service.context.db.select().from(programmes).orderBy(programmes.startsAt)
    expect(rows.map(({ titles, moralityLevel }) => [titles.fra, moralityLevel])).toEqual([
      ['A', 6],
      ['B', 2],
      ['C', 4],
      ['D', 6],
      ['E', 2],
      ['F', 0],
      ['G', 1],
    ])
  })

  it.each([
    ['xz', 'fd377a585a000004'],
    ['zip', '504b0304140000000800'],
  ])('names the compression when refusing a guide packed by %s', async (name, begin) => {
    await expect(take(Buffer.from(begin, 'hex'))).rejects.toThrow(
      `It is packed with ${name}; only gzip is unpacked. The guide stays as it was.`,
    )
  })

  it('keeps every text of a programme in many languages, and the programmes around it', async () => {
    const text = 'À l’été. '.repeat(500).trim()
    const languages = [
      'fr',
      'en',
      'de',
      'es',
      'it',
      'pt',
      'nl',
      'pl',
      'sv',
      'da',
      'fi',
      'cs',
      'hu',
      'ro',
      'tr',
      'el',
    ]
    const descriptions = languages.map((language) => `<desc lang="${language}">${text}</desc>`).join('')
    await take(
      guideOf(
        [
          show('un', 0, 1, '<title>Before</title>'),
          show('un', 1, 2, `<title>Long</title>${descriptions}`),
          show('un', 2, 3, '<title>After</title>'),
        ].join('\n'),
      ),
    )
    expect((await shown()).map(([title]) => title)).toEqual(['Before', 'Long', 'After'])
    const [long] = await service.context.db
      .select()
      .from(programmes)
      .where(eq(programmes.startsAt, NOON + HOUR))
    expect(Object.values(long?.descriptions ?? {})).toEqual(languages.map(() => text))
  })

  it('stores remarks whatever characters the guide contains', async () => {
    const half = `${'x'.repeat(79)}😀`
    const said = await take(
      guideOf(
        [
          `<programme channel="${half}" start="20260115120000 +0000"><title>Half a character</title></programme>`,
          `<programme channel="a\u0000b" start="20260115120000 +0000"><title>Nothing</title></programme>`,
          `<programme channel="un" start="${'9'.repeat(39)}😀"><title>Far</title></programme>`,
          `<programme channel="un" start="\u0000\u0007"><title>Bell</title></programme>`,
          show('un', 0, 1, '<title>Here\u0000 and &#0; &#xD800; there</title>'),
        ].join('\n'),
      ),
    )
    expect(said).toContain('1 programmes added')
    expect(said).toContain('is not known here')
    expect((await shown()).map(([title]) => title)).toEqual(['Here and \uFFFD \uFFFD there'])
    expect(await runCommand(service, 'guide sources list')).not.toContain('failed')
  })

  it('shows a guide on all channels that share its id, however many there are', async () => {
    const list = join(folder, 'many.m3u')
    const lines = Array.from(
      { length: 60 },
      (_, index) => `#EXTINF:-1 tvg-id="same",Canal ${index}\nhttp://stream.example/${index}.m3u8`,
    )
    await writeFile(list, `#EXTM3U\n${lines.join('\n')}\n`)
    await runCommand(service, 'channels import', [list])
    expect(await runCommand(service, 'channels import', [list])).toContain(
      '0 channels added, 0 changed, 60 unchanged',
    )
    expect(await take(guideOf(show('same', 0, 1, '<title>News</title>')))).toContain(
      '60 channels; 60 programmes added',
    )
    await service.context.db.delete(channels).where(eq(channels.guideId, 'same'))
  })
})
