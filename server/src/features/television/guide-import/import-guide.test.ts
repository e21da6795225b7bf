import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { epg, epgEvent, listChannels } from '@ondine/contract/channels'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { guideSources, programmes } from './guide.table.ts'
import { pruneGuide } from './guide-jobs.ts'
import { replaceWindow } from './replace-window.ts'

const NOW = NOON / 1000
const HOUR = 3600

describe.each(DATABASES)('importing a guide, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
    const list = join(folder, 'list.m3u')
    await writeFile(
      list,
      `#EXTM3U
#EXTINF:-1 tvg-id="un.fr",Un
http://stream.example/un.m3u8
#EXTINF:-1 tvg-id="un.fr",Un HD
http://stream.example/un-hd.m3u8
#EXTINF:-1,Télé Deux
http://stream.example/deux.m3u8
#EXTINF:-1 tvg-id="trois",Trois
http://stream.example/trois.m3u8
`,
    )
    await runCommand(service, 'channels import', [list])
    await buildersOf(service.context).channel('Rive', { kind: 'sequence', titles: ['x'] }, { number: 99 })
    for (const { id, name } of (await service.call(listChannels, {})).result) ids[name] = id
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
  async function guide(languageId = 'fra', hours = 48) {
    const input = { start: NOW - 24 * HOUR, offset: 0, hours }
    const { result } = await service.call(epg, input, { 'x-language': languageId })
    return (name: string) => result[`chan_${ids[name] ?? 0}`] ?? []
  }
  const shown = async (name: string) =>
    (await guide())(name).map(({ title, startutc, endutc }) => [
      title,
      (startutc - NOW) / HOUR,
      (endutc - NOW) / HOUR,
    ])
  const rowsOf = async (name: string) =>
    await service.context.db
      .select()
      .from(programmes)
      .where(eq(programmes.channelId, ids[name] ?? 0))
  const clear = async () => await service.context.db.delete(programmes)

  it('V7-11 imports all details of a programme, in their languages', async () => {
    const said = await take(
      guideOf(`<channel id="un.fr"><display-name>Un</display-name></channel>
${show(
  'un.fr',
  0,
  2,
  `<title lang="fr">La &amp; Lune</title><title lang="en">The Moon</title><sub-title lang="fr">Premier soir</sub-title>
<desc lang="fr">Une
 histoire.</desc><desc lang="en"><![CDATA[A <story>.]]></desc>
<credits><director>Ada Lune</director><actor role="Le roi">Jean Soir</actor><presenter>Mo</presenter><unknown>?</unknown></credits>
<date>20190304</date><category lang="en">Drama</category><category lang="fr">Drame</category><category lang="fr">Nuit</category>
<keyword>mer</keyword><language>fr</language><orig-language>en</orig-language><country lang="fr">Belgique</country>
<icon src="http://pictures.example/lune.jpg" width="10"/>
<episode-num system="onscreen">S02E13 1/3</episode-num><episode-num system="xmltv_ns">1 . 12/20 . 0/3</episode-num>
<episode-num system="dd_progid">EP0001.0013</episode-num>
<subtitles type="teletext"><language>German</language></subtitles><subtitles><language>fr</language></subtitles>
<subtitles type="deaf-signed"/><audio-described/>
<previously-shown start="20200101"/><new/><live/><last-chance/>
<rating system="CSA"><value>-12</value></rating><star-rating><value>4/5</value></star-rating>`,
)}`),
    )
    expect(said).toContain('2 channels; 2 programmes added, 0 changed, 0 unchanged, 0 removed.')
    const [row] = await rowsOf('Un HD')
    expect(row).toMatchObject({
      universalId: 'EP0001.0013',
      titles: { fra: 'La & Lune', eng: 'The Moon' },
      subtitles: { fra: 'Premier soir' },
      descriptions: { fra: 'Une histoire.', eng: 'A <story>.' },
      genres: ['Drame', 'Nuit'],
      moralityLevel: 3,
      adult: false,
      year: 2019,
      seasonNumber: 2,
      episodeNumber: 13,
      isNew: true,
      isRepeat: true,
      isLive: true,
      audioLanguages: ['fra'],
      subtitleLanguages: ['deu', 'fra'],
      imageAddress: 'http://pictures.example/lune.jpg',
      details: {
        credits: [
          { role: 'director', name: 'Ada Lune' },
          { role: 'actor', name: 'Jean Soir', as: 'Le roi' },
          { role: 'presenter', name: 'Mo' },
        ],
        episodeText: 'S02E13 1/3',
        part: { number: 1, of: 3 },
        originalLanguage: 'eng',
        ratings: [{ system: 'CSA', value: '-12' }],
        stars: '4/5',
        keywords: ['mer'],
        countries: [{ fra: 'Belgique' }],
        previouslyShownAt: Date.UTC(2020, 0, 1),
        lastChance: true,
        audioDescribed: true,
        signed: true,
        subtitled: true,
      },
    })
    const [programme] = (await guide())('Un')
    expect(programme).toMatchObject({
      title: 'La & Lune',
      subtitle: 'Premier soir',
      synopsis: 'Une histoire.',
      genre: 'Drame',
      rating: 3,
      startutc: NOW,
      endutc: NOW + 2 * HOUR,
      direct_metadata: { AD_SERIESEA: 2, AD_SERIESEP: 13, TS_PRODYEAR: 2019 },
    })
    const { result: event } = await service.call(epgEvent, { idChannel: 0, idEvent: programme?.id ?? 0 })
    expect(event.announced).toEqual({
      credits: row?.details.credits,
      genres: ['Drame', 'Nuit'],
      countries: ['Belgique'],
      isNew: true,
      isRepeat: true,
      isPremiere: false,
      isLive: true,
      isLastChance: true,
      isAudioDescribed: true,
      isSigned: true,
      isSubtitled: true,
      shownBefore: Date.UTC(2020, 0, 1) / 1000,
      episode: 'S02E13 1/3',
      stars: '4/5',
      audioLanguages: ['fra'],
      subtitleLanguages: ['deu', 'fra'],
      originalLanguage: 'eng',
    })
    await clear()
  })

  it('resolves duplicates, overlaps, gaps, and missing or early ends, and reports each with its line', async () => {
    const said = await take(
      guideOf(
        [
          show('trois', 2, 3, '<title>Third</title>'),
          show('trois', 0, 1.5, '<title>First</title>'),
          show('trois', 0, 1, '<title>Double</title>'),
          show('trois', 1, 2, '<title>Second</title>'),
          show('trois', 4, 3.5, '<title>Backwards</title>'),
          show('trois', 5, null, '<title>Open</title>'),
          show('trois', 6, null, '<title>Last</title>'),
        ].join('\n'),
      ),
    )
    expect(await shown('Trois')).toEqual([
      ['First', 0, 1],
      ['Second', 1, 2],
      ['Third', 2, 3],
      ['Backwards', 4, 5],
      ['Open', 5, 6],
      ['Last', 6, 7],
    ])
    expect(said).toContain('line 5: It runs into the next one and is cut there.')
    expect(said).toContain('line 6: Line 5 already has a programme at the same time.')
    expect(said).toContain('line 4: Nothing is announced for 60 minutes after it.')
    expect(said).toContain('line 8: It ends before it begins')
    expect(said).toContain('line 10: It has no end; an hour is assumed.')
    expect(said).toContain('Of 7 read: 0 refused, 1 duplicates, 1 overlaps cut, 3 ends completed, 1 gaps')
    await clear()
  })

  it('splits a long programme around a short one inside it, but not around the listed parts of a block', async () => {
    const said = await take(
      guideOf(
        [
          show('trois', 0, 2, '<title>Film</title>'),
          show('trois', 1, 1.1, '<title>Weather</title>'),
          // The film ends when the next programme begins, although its own end is later.
          show('trois', 1.9, 3, '<title>Debate</title>'),
          show('trois', 3, 6, '<title>Morning</title>'),
          show('trois', 3.5, 4, '<title>One</title>'),
          show('trois', 4, 5, '<title>Two</title>'),
        ].join('\n'),
      ),
    )
    expect(await shown('Trois')).toEqual([
      ['Film', 0, 1],
      ['Weather', 1, 1.1],
      ['Film', 1.1, 1.9],
      ['Debate', 1.9, 3],
      ['Morning', 3, 3.5],
      ['One', 3.5, 4],
      ['Two', 4, 5],
    ])
    expect(said).toContain('line 4: It contains the programme of line 5, and continues after that programme.')
    expect(said).toContain('line 7: It runs into the next one and is cut there.')
    expect(said).toContain('2 overlaps cut')
    await clear()
  })

  it.each([
    [
      'by the id of the source',
      '<episode-num system="dd_progid">EP1.1</episode-num>',
      '<title>New title</title>',
    ],
    ['by its titles', '', '<title>Film</title>'],
  ])('keeps the id of a programme that moves: found %s', async (_how, id, after) => {
    const idOf = async (start: number) =>
      (await guide())('Trois').find(({ startutc }) => startutc === NOW + start * HOUR)?.id
    const film = `<title>Film</title>${id}`
    // The programmes before and after do not change.
    const within = (...changing: string[]) =>
      guideOf(
        [
          show('trois', -1, 0, '<title>Morning</title>'),
          ...changing,
          show('trois', 8, 12, '<title>Night</title>'),
        ].join('\n'),
      )
    await take(within(show('trois', 0, 2, film), show('trois', 6, 8, film)))
    const [early, late] = [await idOf(0), await idOf(6)]
    const moved = `${after}${id}`
    const said = await take(
      within(show('trois', 0.5, 2.5, moved), show('trois', 2.5, 3, film), show('trois', 6, 8, film)),
    )
    expect(said).toContain('1 programmes added, 1 changed, 3 unchanged, 0 removed.')
    expect(await idOf(0.5)).toBe(early)
    expect(await idOf(6)).toBe(late)
    const { result } = await service.call(epgEvent, { idChannel: ids.Trois ?? 0, idEvent: early ?? 0 })
    expect(result.current.startutc).toBe(NOW + 0.5 * HOUR)
    // The showing at 2.5 is the nearest one, so it moves to 4. Another programme takes over no id.
    await take(within(show('trois', 4, 5, film), show('trois', 6.5, 8, '<title>Other</title>')))
    expect([early, late]).not.toContain(await idOf(4))
    expect([early, late]).not.toContain(await idOf(6.5))
    await clear()
  })

  it('keeps the ids of programmes that move to the starts of others, and that change places', async () => {
    const idsByTitle = async () =>
      Object.fromEntries((await guide())('Trois').map(({ title, id }) => [title, id]))
    const announce = async (...titles: string[]) =>
      await take(
        guideOf(
          titles.map((title, hour) => show('trois', hour, hour + 1, `<title>${title}</title>`)).join('\n'),
        ),
      )
    await announce('A', 'B', 'C', 'D')
    const before = await idsByTitle()
    expect(await announce('New', 'A', 'B', 'C')).toContain(
      '1 programmes added, 3 changed, 0 unchanged, 1 removed.',
    )
    const { New: fresh, ...moved } = await idsByTitle()
    const { D: gone, ...stayed } = before
    expect(moved).toEqual(stayed)
    expect(Object.values(before)).not.toContain(fresh)
    expect(await announce('New', 'B', 'A', 'C')).toContain(
      '0 programmes added, 2 changed, 2 unchanged, 0 removed.',
    )
    expect(await idsByTitle()).toEqual({ New: fresh, ...stayed })
    // A programme with another title takes over the id at its start, as long as no programme has moved from there.
    await announce('New', 'B', 'Other', 'C')
    expect((await idsByTitle()).Other).toBe(before.A)
    expect(gone).toBeDefined()
    await clear()
  })

  it('moves programmes of the hour that clocks repeat, in a session with a time zone of its own', async () => {
    const { db } = service.context
    const [source] = await db
      .insert(guideSources)
      .values({ name: 'clocks', location: 'https://guide.example/' })
      .returning()
    // 02:05 in Paris, before and after the clocks go back.
    const [early, late] = [Date.UTC(2027, 9, 31, 0, 5), Date.UTC(2027, 9, 31, 1, 5)]
    const write = async (delayMs: number) =>
      await db.transaction(async (tx) => {
        await tx.execute(sql`set local timezone = 'Europe/Paris'`)
        const wanted = [early, late].map((startsAt, index) => ({
          startsAt: startsAt + delayMs,
          endsAt: startsAt + delayMs + 1800_000,
          universalId: `clocks-${index}`,
          columns: JSON.stringify({
            titles: { fra: `Nuit ${index}` },
            subtitles: {},
            descriptions: {},
            genres: [],
            morality_level: 0,
            adult: false,
            is_new: false,
            is_repeat: false,
            is_live: false,
            audio_languages: [],
            subtitle_languages: [],
            details: {},
          }),
        }))
        const window = { from: early, to: late + 2 * HOUR * 1000, wanted }
        return await replaceWindow(
          tx,
          ids.Trois ?? 0,
          { id: source?.id ?? 0, priority: 50 },
          window,
          100,
          'all',
        )
      })
    const startsById = async () =>
      Object.fromEntries((await rowsOf('Trois')).map(({ id, startsAt }) => [id, startsAt]))
    await write(0)
    const before = await startsById()
    expect(Object.values(before).toSorted((one, other) => one - other)).toEqual([early, late])
    expect(await write(300_000)).toMatchObject({ added: 0, changed: 2, removed: 0 })
    expect(await startsById()).toEqual(
      Object.fromEntries(Object.entries(before).map(([id, startsAt]) => [id, startsAt + 300_000])),
    )
    await clear()
    await db.delete(guideSources).where(eq(guideSources.name, 'clocks'))
  })

  it('keeps showings of one programme in their order when they move', async () => {
    const newsIds = async () =>
      (await guide())('Trois').flatMap(({ title, id }) => (title === 'News' ? [id] : []))
    const announce = async (...hours: number[]) =>
      await take(
        guideOf(
          [
            show('trois', -1, 0, '<title>Morning</title>'),
            ...hours.map((hour) => show('trois', hour, hour + 0.4, '<title>News</title>')),
            show('trois', 3, 4, '<title>Night</title>'),
          ].join('\n'),
        ),
      )
    await announce(0, 1)
    const [first, second] = await newsIds()
    await announce(0.8, 2)
    const [, last] = await newsIds()
    expect(last).not.toBe(first)
    expect(await newsIds()).toContain(second)
    await clear()
  })

  it('reports a line once if a remark applies to all channels that show it', async () => {
    const said = await take(
      guideOf(
        [
          show('un.fr', 0, 1.5, '<title>First</title>'),
          show('un.fr', 0, 1, '<title>Double</title>'),
          show('un.fr', 1, null, '<title>Last</title>'),
        ].join('\n'),
      ),
    )
    for (const name of ['Un', 'Un HD'])
      expect(await shown(name)).toEqual([
        ['First', 0, 1],
        ['Last', 1, 2],
      ])
    expect(said.match(/line \d+: .*/g)).toEqual([
      'line 4: It runs into the next one and is cut there.',
      'line 5: Line 4 already has a programme at the same time.',
      'line 6: It has no end; an hour is assumed.',
    ])
    // Both channels have the same guide id. The corrections of each channel are counted.
    expect(said).toContain('2 duplicates, 2 overlaps cut, 2 ends completed')
    await clear()
  })

  it('lists invalid dates, missing titles and unknown channels, and imports the rest', async () => {
    const said = await take(
      guideOf(
        [
          '<programme channel="trois" start="20260230120000 +0000"><title>30 February</title></programme>',
          '<programme channel="trois" start="soon"><title>Soon</title></programme>',
          '<programme channel="trois"><title>Never</title></programme>',
          show('trois', 1, 2, '<desc>Without a title</desc>'),
          show('nobody', 1, 2, '<title>Unknown</title>'),
          show('nobody', 2, 3, '<title>Unknown</title>'),
          '<programme start="20260115120000"><title>Nowhere</title></programme>',
          show('trois', 3, 4, '<title>Taken</title>'),
          show('trois', -24 * 40, -24 * 40 + 1, '<title>Long ago</title>'),
          show('trois', 24 * 300, 24 * 300 + 1, '<title>Far ahead</title>'),
        ].join('\n'),
      ),
    )
    expect(await shown('Trois')).toEqual([['Taken', 3, 4]])
    expect(said).toContain('line 4: Its start 20260230120000 +0000 is not a time.')
    expect(said).toContain('line 5: Its start soon is not a time.')
    expect(said).toContain('line 6: It has no start.')
    expect(said).toContain('line 7: It has no title.')
    expect(said.match(/Channel nobody is not known here/g)).toHaveLength(1)
    expect(said).toContain('line 10: A programme without a channel.')
    expect(said).toContain(
      '4 refused, 0 duplicates, 0 overlaps cut, 0 ends completed, 0 gaps, 2 outside the days that are kept, 0 outranked by another source, 2 channels unknown.',
    )
    await clear()
  })

  it('matches channels by id, by a name in the guide, and by a mapping, but never library channels', async () => {
    const map = join(folder, 'map.json')
    await writeFile(map, JSON.stringify({ X3: 'Trois' }))
    const said = await take(
      guideOf(
        [
          '<channel id="X2"><display-name>Autre</display-name><display-name lang="fr">TELE  deux</display-name></channel>',
          '<channel id="R"><display-name>Rive</display-name></channel>',
          show('X2', 0, 1, '<title>By name</title>'),
          show('X3', 0, 1, '<title>By mapping</title>'),
          show('UN.FR', 0, 1, '<title>By id</title>'),
          show('R', 0, 1, '<title>Of the library</title>'),
        ].join('\n'),
      ),
      { map },
    )
    expect(await shown('Télé Deux')).toEqual([['By name', 0, 1]])
    expect(await shown('Trois')).toEqual([['By mapping', 0, 1]])
    expect(await shown('Un')).toEqual([['By id', 0, 1]])
    expect(await shown('Un HD')).toEqual([['By id', 0, 1]])
    expect(await shown('Rive')).toEqual([])
    expect(said).toContain('Channel R plays from the library, whose schedule writes its guide.')
    await clear()
  })

  it('matches a name only to a channel that the file does not declare otherwise, and to its first channel of the name', async () => {
    const regional = (id: string, name: string) =>
      `<channel id="${id}"><display-name>${id}</display-name><display-name>${name}</display-name></channel>${show(id, 0, 1, `<title>Of ${id}</title>`)}`
    const body = [
      regional('trois', 'Trois'),
      regional('trois.ch', 'Trois'),
      regional('trois.be', 'Trois'),
      regional('deux.be', 'Télé Deux'),
      regional('deux.ch', 'Télé Deux'),
    ].join('\n')
    const said = await take(guideOf(body))
    expect(await shown('Trois')).toEqual([['Of trois', 0, 1]])
    expect(await shown('Télé Deux')).toEqual([['Of deux.be', 0, 1]])
    for (const id of ['trois.ch', 'trois.be', 'deux.ch'])
      expect(said).toContain(`Channel ${id} has the name of a channel that already has a guide in this file`)
    expect(said).toContain('0 duplicates')
    await clear()
    const map = join(folder, 'map.json')
    await writeFile(map, JSON.stringify({ 'deux.ch': 'Télé Deux' }))
    const channels = body.replaceAll(/<programme.*/g, '')
    await take(guideOf(`${channels}\n${body.replaceAll(/<channel.*<\/channel>/g, '')}`), { map })
    expect(await shown('Télé Deux')).toEqual([['Of deux.ch', 0, 1]])
    await clear()
  })

  it('reads times without a zone in the zone of the source, also when clocks change', async () => {
    service.clock.set(Date.UTC(2026, 2, 28, 12))
    await take(
      guideOf(
        [
          '<programme channel="trois" start="20260328233000"><title>Before</title></programme>',
          '<programme channel="trois" start="20260329013000"><title>Winter</title></programme>',
          '<programme channel="trois" start="20260329030000"><title>Summer</title></programme>',
          '<programme channel="trois" start="20260329040000 +0100"><title>Said</title></programme>',
          '<programme channel="trois" start="2026-03-29T07:00:00Z"><title>ISO</title></programme>',
        ].join('\n'),
      ),
      { timeZone: 'Europe/Paris' },
    )
    expect(
      (await rowsOf('Trois'))
        .toSorted((one, other) => one.startsAt - other.startsAt)
        .map(({ titles, startsAt }) => [titles.fra, new Date(startsAt).toISOString()]),
    ).toEqual([
      ['Before', '2026-03-28T22:30:00.000Z'],
      ['Winter', '2026-03-29T00:30:00.000Z'],
      ['Summer', '2026-03-29T01:00:00.000Z'],
      ['Said', '2026-03-29T03:00:00.000Z'],
      ['ISO', '2026-03-29T07:00:00.000Z'],
    ])
    service.clock.set(NOON)
    await clear()
  })

  it('replaces the window that the guide covers, keeps the programmes around it, and keeps ids', async () => {
    const day = (titles: string[], from = 0) =>
      guideOf(
        titles
          .map((title, index) => show('trois', from + index, from + index + 1, `<title>${title}</title>`))
          .join('\n'),
      )
    await take(day(['A', 'B', 'C', 'D', 'E']))
    const before = await rowsOf('Trois')
    expect(await take(day(['A', 'B', 'C', 'D', 'E']))).toContain(
      '0 programmes added, 0 changed, 5 unchanged, 0 removed.',
    )
    expect(await take(day(['X', 'C', 'Y'], 1))).toContain(
      '0 programmes added, 2 changed, 1 unchanged, 0 removed.',
    )
    expect((await shown('Trois')).map(([title]) => title)).toEqual(['A', 'X', 'C', 'Y', 'E'])
    const idAt = (rows: typeof before, hours: number) =>
      rows.find(({ startsAt }) => startsAt === NOON + hours * 3600_000)?.id
    const after = await rowsOf('Trois')
    for (const hours of [0, 1, 2, 3, 4]) expect(idAt(after, hours)).toBe(idAt(before, hours))
    // A new guide that begins in the middle of a programme cuts this programme at its start.
    await take(guideOf(show('trois', 0.5, 1.5, '<title>Half</title>')))
    expect(await shown('Trois')).toEqual([
      ['A', 0, 0.5],
      ['Half', 0.5, 1.5],
      ['C', 2, 3],
      ['Y', 3, 4],
      ['E', 4, 5],
    ])
    await clear()
  })

  it('V7-10 shows a programme of 25 hours in its first hour, and replaces it there', async () => {
    await take(guideOf(show('trois', -0.1, 24.9, '<title>Long</title>')))
    const { result } = await service.call(epg, { start: NOW - HOUR, offset: 0, hours: 1 })
    expect(result[`chan_${ids.Trois ?? 0}`]?.map(({ title }) => title)).toEqual(['Long'])
    await take(guideOf(show('trois', -0.1, 0.2, '<title>Short</title>')))
    expect((await rowsOf('Trois')).map(({ titles }) => titles.fra)).toEqual(['Short'])
    await clear()
  })

  it('keeps the old guide if the new one is truncated, invalid or malicious', async () => {
    await take(guideOf(show('trois', 0, 1, '<title>Old</title>')))
    const next = show('trois', 0, 1, '<title>New</title>')
    const bomb = `<!DOCTYPE tv [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`
    const refused: [string | Buffer, string][] = [
      [`<tv>${next}`, 'It ends in the middle.'],
      [guideOf(next).slice(0, -30), 'It ends in the middle.'],
      ['', 'It is empty.'],
      ['nonsense', 'It is not a guide (XMLTV).'],
      [`<html>${next}</html>`, 'Its root is <html>, not <tv>.'],
      [
        '<!doctype html>\n<html lang="fr"><head><meta charset=utf-8><title>502</title>',
        'It is not a guide (XMLTV).',
      ],
      ['{"error":"expired"}', 'It is not a guide (XMLTV).'],
      [gzipSync(''), 'It is empty.'],
      [guideOf(next.replace('New', '&b;'), bomb), 'Its document type defines entities'],
      [`<tv>${'<a>'.repeat(5000)}`, 'nested too deep'],
      [`<tv>${next.replace('New', 'x'.repeat(3_000_000))}</tv>`, 'a text without an end'],
      [guideOf(next, '<?xml version="1.0" encoding="klingon"?>'), 'klingon'],
      [gzipSync(guideOf(next)).subarray(0, 60), 'gzip stream is broken'],
      [Buffer.concat([gzipSync(guideOf(next)), gzipSync('more').subarray(0, 15)]), 'gzip stream is broken'],
      [gzipSync(guideOf(next)).fill(0x55, 30, 50), 'gzip stream is broken'],
    ]
    for (const [text, reason] of refused) await expect(take(text)).rejects.toThrow(reason)
    expect(await shown('Trois')).toEqual([['Old', 0, 1]])
    expect(await runCommand(service, 'guide sources list')).toMatch(
      /failed: Its gzip stream is broken: it cannot be read on from byte \d+\./,
    )
    await clear()
  })

  it('tolerates small faults of the XML, and reads what old programs write', async () => {
    const said = await take(guideOf(`${show('trois', 0, 1, '<title>Tom & Jerry</title>')}<!-- end -->`))
    expect(await shown('Trois')).toEqual([['Tom & Jerry', 0, 1]])
    expect(said).toContain('line 4: XML fault ignored')
    const latin = guideOf(
      show('trois', 0, 1, '<title>Été &#233;&quot;</title>'),
      '<?xml version="1.0" encoding="ISO-8859-1"?>\r\n',
    )
    await take(Buffer.from(latin, 'latin1'))
    expect(await shown('Trois')).toEqual([['Été é"', 0, 1]])
    await take(
      Buffer.from(
        `\uFEFF${guideOf(show('trois', 0, 1, '<title>Marked\u202E\u0085</title>'), '')}`.replaceAll(
          '\n',
          '\r\n',
        ),
      ),
    )
    expect(await shown('Trois')).toEqual([['Marked', 0, 1]])
    await clear()
  })

  it('V9-04 keeps as much of the past as the guide shows, and deletes the rest', async () => {
    await take(
      guideOf(
        [-24 * 4.1, -24 * 3, -1]
          .map((from) => show('trois', from, from + 0.5, `<title>${from}</title>`))
          .join('\n'),
      ),
    )
    expect((await rowsOf('Trois')).map(({ titles }) => titles.fra)).toEqual(['-72', '-1'])
    service.clock.advance(24 * 3600_000)
    expect(await pruneGuide(service.context)).toBe(0)
    service.clock.advance(2 * 3600_000)
    expect(await pruneGuide(service.context)).toBe(1)
    expect((await rowsOf('Trois')).map(({ titles }) => titles.fra)).toEqual(['-1'])
    service.clock.set(NOON)
    await clear()
  })

  it.each([
    ['25 hours', '2026-10-24', '20261025', '20261026', 25],
    ['23 hours', '2027-03-27', '20270328', '20270329', 23],
  ])(
    'V9-04 keeps a day of %s complete until midnight after the days that it is shown',
    async (_what, eve, day, next, hours) => {
      service.clock.set(Date.parse(`${eve}T12:00:00Z`))
      const midnight = Date.parse(`${eve}T${hours === 25 ? 22 : 23}:00:00Z`) / 1000
      const halves = Array.from({ length: hours * 2 }, (_, index) => {
        const start = new Date((midnight + index * 1800) * 1000)
        return `<programme channel="trois" start="${start.toISOString().replaceAll(/[-:T]|\..*/g, '')} +0000"><title>${index}</title></programme>`
      })
      const marks = `<programme channel="trois" start="${day}000000" stop="${day}003000"><title>0</title></programme><programme channel="trois" start="${next}000000" stop="${next}010000"><title>After</title></programme>`
      await take(guideOf([...halves.slice(1), marks].join('\n')), { timeZone: 'Europe/Paris' })
      // Three days later, a minute before midnight in Paris.
      service.clock.set((midnight + (hours + 3 * 24) * HOUR) * 1000 - 60_000)
      await pruneGuide(service.context)
      const { result } = await service.call(epg, { start: midnight, offset: 0, hours })
      const shownThen = result[`chan_${ids.Trois ?? 0}`] ?? []
      expect(shownThen.map(({ title }) => title)).toEqual(halves.map((_, index) => String(index)))
      expect(shownThen.at(-1)?.endutc).toBe(midnight + hours * HOUR)
      service.clock.set(NOON)
      await clear()
    },
  )
})
