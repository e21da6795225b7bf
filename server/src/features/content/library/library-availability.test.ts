import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { contentData, homeContent } from '@ondine/contract/catalogue'
import { readAsset } from '@ondine/contract/playback'
import { search } from '@ondine/contract/search'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { assets, medias, trackSets } from '../../inventory/titles/titles.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { takeLibrary } from './library.service.ts'

const { signal } = new AbortController()
const DAY_MS = 86_400_000
const PLAY = { idAudioLang: 'fra', idSubtitleLang: 'fra', format: 'dash' } as const
const NFO = {
  film: 'Films/Aube (2026)/movie.nfo',
  series: 'Series/Trame/tvshow.nfo',
  season: 'Series/Trame/Season 01/season.nfo',
  episode: 'Series/Trame/Season 01/Trame S01E01.nfo',
}
const inDays = (days: number) => NOON + days * DAY_MS
const from = (days: number) => `<availablefrom>${iso(days)}</availablefrom>`
const until = (days: number) => `<availableuntil>${iso(days)}</availableuntil>`
const iso = (days: number) => new Date(inDays(days)).toISOString().replace('.000', '')

describe.each(MAIN_DB)('the availability of a title, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let buyer: Actor
  const write = async (name: string, content: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  /** Imports the folder. Returns the problems. Its films and episodes are ready to play afterwards. */
  const take = async () => {
    const { db } = service.context
    const { problems } = await takeLibrary(service.context, folder, { signal })
    for (const { id } of await db.select().from(assets).where(eq(assets.availability, 'preparing'))) {
      const document = buildTrackSet()
      await db.insert(trackSets).values({ id: document.id, key: null, document, durationSeconds: 60 })
      await db.insert(medias).values({ kind: 'main', assetId: id, trackSetId: document.id, fingerprint: '' })
      await db.update(assets).set({ availability: 'ready', durationSeconds: 60 }).where(eq(assets.id, id))
    }
    return problems.map(({ path, reason }) => `${path.slice(folder.length + 1)}: ${reason}`)
  }
  const idOf = async (kindOf: 'film' | 'episode') => {
    const [row] = await service.context.db.select().from(assets).where(eq(assets.kind, kindOf))
    return row?.id ?? 0
  }
  /** Returns how a buyer of the title finds it, `days` days from now. */
  const seenAt = async (days: number, idAsset: number) => {
    service.clock.set(inDays(days))
    const { tokens } = buyer
    const page = await service.call(contentData, { idAsset }, tokens)
    const words = { term: 'aube', type: 'all', count: 10, itemsPerPage: 10, page: 1 } as const
    const { result: rails } = await service.call(homeContent, {}, tokens)
    return {
      page: page.error.code,
      play: (await service.call(readAsset, { idAsset, ...PLAY }, tokens)).error.code,
      found: (await service.call(search, words, tokens)).result.items.length,
      leaving: rails.find(({ id }) => id === 'leaving')?.items.length ?? 0,
    }
  }
  const windows = async () => {
    const rows = await service.context.db.select().from(assets)
    return Object.fromEntries(rows.map((row) => [row.kind, [row.validFrom, row.validTo]]))
  }

  beforeEach(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    folder = await mkdtemp(join(tmpdir(), 'ondine-available-'))
    buyer = await buildersOf(service.context).actor({ tokenDays: 100 })
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const changes = [
      { path: 'home.connected', value: [{ id: 'leaving', source: 'leaving' }] },
      { path: 'catalogue.leavingDays', value: 7 },
    ]
    const by = { author: 'test', reason: '' }
    await configurations.change(id, configurations.stored(id).revision, changes, by)
    await write('Films/Aube (2026)/Aube (2026).mkv', 'a film')
    await write('Series/Trame/Season 01/Trame S01E01.mkv', 'an episode')
  })
  afterEach(async () => {
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  it('V3-20 is that of its metadata file: hidden before, in the rail of leaving titles near the end, gone after', async () => {
    await write(NFO.film, `<movie>${from(10)}${until(30)}</movie>`)
    expect(await take()).toEqual([])
    const id = await idOf('film')
    await addGrant(service.context.db, {
      accountId: buyer.account.id,
      opens: { assetId: id },
      source: 'operator',
      sourceId: 'test',
      from: NOON - 1000,
      to: null,
    })
    const gone = { page: -404, play: -1605, found: 0, leaving: 0 }
    expect(await seenAt(9, id)).toEqual(gone)
    expect(await seenAt(11, id)).toEqual({ page: 0, play: 0, found: 1, leaving: 0 })
    const { result } = await service.call(contentData, { idAsset: id }, buyer.tokens)
    expect(result.content.payload).toMatchObject({
      validityStartDateTime: inDays(10) / 1000,
      validityEndDateTime: inDays(30) / 1000,
    })
    expect(await seenAt(25, id)).toEqual({ page: 0, play: 0, found: 1, leaving: 1 })
    expect(await seenAt(31, id)).toEqual(gone)

    await write(NFO.film, '<movie/>')
    await take()
    expect(await seenAt(31, id)).toEqual({ page: 0, play: 0, found: 1, leaving: 0 })
  })

  it('opens at once when its start is removed before it has come', async () => {
    await write(NFO.film, `<movie>${from(10)}</movie>`)
    await take()
    await write(NFO.film, '<movie/>')
    await take()
    expect((await windows()).film).toEqual([NOON, null])
    service.clock.set(inDays(1))
    await take()
    expect((await windows()).film).toEqual([NOON, null])
  })

  it('comes from the season and the series for an episode, unless it has its own', async () => {
    await write(NFO.series, `<tvshow>${from(2)}${until(30)}</tvshow>`)
    await take()
    expect((await windows()).episode).toEqual([inDays(2), inDays(30)])
    await write(NFO.season, `<season>${until(20)}</season>`)
    await take()
    expect((await windows()).episode).toEqual([inDays(2), inDays(20)])
    await write(NFO.episode, `<episodedetails>${from(5)}${until(10)}</episodedetails>`)
    await take()
    expect((await windows()).episode).toEqual([inDays(5), inDays(10)])
  })

  it('of an episode that is imported after the start of its series begins with the import', async () => {
    await write(NFO.series, `<tvshow>${from(-30)}</tvshow>`)
    await take()
    expect((await windows()).episode).toEqual([NOON, null])
  })

  it.each([
    ['no zone', '<availableuntil>2026-12-31</availableuntil>', 'its availableuntil is not a time'],
    ['the wrong order', from(5) + until(4), 'its availableuntil is not after'],
    ['a fault before it', `<plot>Vent & marée</plot>${until(9)}`, ''],
  ])('keeps a title hidden or as it was while it cannot be read: %s', async (_what, fault, reason) => {
    await write(NFO.film, `<movie>${fault}</movie>`)
    const problems = await take()
    expect(problems.join()).toContain(`${NFO.film}: ${reason}`)
    const id = await idOf('film')
    expect((await seenAt(0, id)).page).toBe(-404)
    await write(NFO.film, `<movie>${until(9)}</movie>`)
    expect(await take()).toEqual([])
    const right = await windows()
    expect((await seenAt(0, id)).page).toBe(0)
    await write(NFO.film, `<movie>${fault}</movie>`)
    await take()
    expect(await windows()).toEqual(right)
  })
})
