import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  lt,
  ne,
  not,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { assets, categories, medias } from '../../inventory/titles/titles.table.ts'
import type { KnownTitles } from './find-titles.ts'
import { categoryRatings, imports, type MediaWork } from './library.table.ts'

export type ImportRow = typeof imports.$inferSelect
export type ImportState = ImportRow['state']

/** States in which a worker is processing the import. */
const UNDER_WAY = [
  'making',
  'probing',
  'encoding',
  'packaging',
  'publishing',
] as const satisfies ImportState[]
/** Final states. A file leaves a final state only after a change of the file or a new request for its import. */
const ENDED = ['ready', 'failed', 'cancelled'] as const satisfies ImportState[]

/** A media file that a scan has found. */
export type NewImport = Pick<ImportRow, 'kind' | 'source' | 'library' | 'work' | 'title' | 'fingerprint'>

/**
 * Adds a file to the imports. If the file is unchanged and its import has not ended, the import continues.
 * Otherwise the file waits for a new import. A worker that is still preparing an older version stops at its next
 * report or heartbeat.
 *
 * @returns the id of the import.
 */
export async function putImport(db: Database, file: NewImport, now: number): Promise<number> {
  const unchanged = and(
    eq(imports.fingerprint, file.fingerprint),
    sql`${imports.work} = ${JSON.stringify(file.work)}::jsonb`,
    notInArray(imports.state, [...ENDED]),
  )
  const [row] = await db
    .insert(imports)
    .values({ ...file, updatedAt: now })
    .onConflictDoUpdate({
      target: imports.source,
      set: {
        ...file,
        state: sql`case when ${unchanged} then ${imports.state} else 'waiting' end`,
        percent: sql`case when ${unchanged} then ${imports.percent} else 0 end`,
        secondsLeft: sql`case when ${unchanged} then ${imports.secondsLeft} end`,
        attempts: sql`case when ${unchanged} then ${imports.attempts} else 0 end`,
        refusals: sql`case when ${unchanged} then ${imports.refusals} else 0 end`,
        reason: null,
        notes: [],
        updatedAt: now,
      },
    })
    .returning({ id: imports.id })
  if (!row) throw new Error('The import was not stored.')
  return row.id
}

/**
 * Claims a waiting file for one worker, and returns its import. Returns undefined if another worker has claimed
 * the file, or if its import is no longer wanted.
 */
export async function claimImport(db: Database, id: number, now: number): Promise<ImportRow | undefined> {
  const [row] = await db
    .update(imports)
    .set({
      state: 'probing',
      percent: 0,
      secondsLeft: null,
      reason: null,
      attempts: sql`${imports.attempts} + 1`,
      updatedAt: now,
    })
    .where(and(eq(imports.id, id), eq(imports.state, 'waiting')))
    .returning()
  return row
}

/** Progress of a running import, or the reason why it waits. */
export type ReportedProgress = Partial<Pick<ImportRow, 'state' | 'percent' | 'secondsLeft' | 'reason'>>

/**
 * Stores the progress of an import. An empty `progress` stores only that its worker is alive.
 *
 * @returns whether this version of the file is still wanted
 */
export async function reportImport(
  db: Database,
  { id, fingerprint }: Pick<ImportRow, 'id' | 'fingerprint'>,
  progress: ReportedProgress,
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(imports)
    .set({ ...progress, updatedAt: now })
    .where(
      and(eq(imports.id, id), eq(imports.fingerprint, fingerprint), inArray(imports.state, [...UNDER_WAY])),
    )
    .returning({ id: imports.id })
  return rows.length > 0
}

/** Stores why a waiting import does not start. */
export async function explainWait(
  db: Database,
  id: number,
  reason: NonNullable<ImportRow['reason']>,
): Promise<void> {
  await db
    .update(imports)
    .set({ reason })
    .where(and(eq(imports.id, id), eq(imports.state, 'waiting')))
}

/** Sets an unfinished import back to the state `waiting`. `changes.reason` says why it waits. */
export async function releaseImport(
  db: Database,
  id: number,
  now: number,
  changes: Partial<Pick<ImportRow, 'fingerprint' | 'refusals' | 'reason'>> = {},
): Promise<void> {
  await db
    .update(imports)
    .set({
      state: 'waiting',
      percent: 0,
      secondsLeft: null,
      updatedAt: now,
      ...changes,
    })
    .where(and(eq(imports.id, id), inArray(imports.state, [...UNDER_WAY])))
}

/**
 * Ends the import of this version of a file.
 *
 * @returns whether this version was still wanted
 */
export async function endImport(
  db: Database | Transaction,
  { id, fingerprint }: Pick<ImportRow, 'id' | 'fingerprint'>,
  end: Pick<ImportRow, 'state'> & Partial<Pick<ImportRow, 'percent' | 'reason' | 'tookSeconds' | 'notes'>>,
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(imports)
    .set({ ...end, secondsLeft: null, updatedAt: now })
    .where(
      and(eq(imports.id, id), eq(imports.fingerprint, fingerprint), inArray(imports.state, [...UNDER_WAY])),
    )
    .returning({ id: imports.id })
  return rows.length > 0
}

/**
 * Sets running imports back to the state `waiting`: those whose worker has sent no report or heartbeat since `before`,
 * or all of them if `before` is null.
 */
export async function releaseInterrupted(db: Database, before: number | null, now: number): Promise<void> {
  await db
    .update(imports)
    .set({ state: 'waiting', percent: 0, secondsLeft: null, updatedAt: now })
    .where(
      and(
        inArray(imports.state, [...UNDER_WAY]),
        before === null ? undefined : lt(imports.updatedAt, before),
      ),
    )
}

/** Returns the first `limit` waiting imports, those with the fewest attempts first, then the oldest first. */
export async function waitingImports(
  db: Database,
  limit: number,
): Promise<Pick<ImportRow, 'id' | 'attempts'>[]> {
  return await db
    .select({ id: imports.id, attempts: imports.attempts })
    .from(imports)
    .where(eq(imports.state, 'waiting'))
    .orderBy(asc(imports.attempts), asc(imports.id))
    .limit(limit)
}

/** Cancels an import. A waiting import never starts. A running import stops at its next report or heartbeat. */
export async function cancelImport(db: Database, id: number, now: number): Promise<ImportRow | undefined> {
  const [row] = await db
    .update(imports)
    .set({ state: 'cancelled', secondsLeft: null, updatedAt: now })
    .where(and(eq(imports.id, id), notInArray(imports.state, [...ENDED])))
    .returning()
  return row
}

/**
 * Maximum number of titles that are withdrawn in one transaction. Each of them must be deleted from the search
 * index, so a larger number would make the transaction too long.
 */
export const MOST_WITHDRAWN = 100

/** Cancels the imports of files that are no longer in the library (not in `sources`), in slices. */
export async function cancelVanished(
  db: Database,
  library: string,
  sources: readonly string[],
  now: number,
): Promise<void> {
  const isUnended = notInArray(imports.state, [...ENDED])
  const rows = await db
    .select({ id: imports.id })
    .from(imports)
    .where(and(eq(imports.library, library), isUnended, isNoneOf(imports.source, sources)))
  await new Pace(MOST_WITHDRAWN).over(rows, async (some) => {
    const isSome = inArray(
      imports.id,
      some.map(({ id }) => id),
    )
    await db
      .update(imports)
      .set({ state: 'cancelled', secondsLeft: null, updatedAt: now })
      .where(and(isSome, isUnended))
  })
}

/**
 * Returns how many of the given imports are in each state, one running import, and one waiting import with the reason
 * why it waits.
 */
export async function followImports(
  db: Database,
  ids: readonly number[],
): Promise<{
  states: Partial<Record<ImportState, number>>
  active: Pick<ImportRow, 'title' | 'percent'> | undefined
  postponed: Pick<ImportRow, 'source' | 'reason'> | undefined
}> {
  const rows = await db
    .select({ state: imports.state, count: sql<number>`count(*)::int` })
    .from(imports)
    .where(isOneOf(ids))
    .groupBy(imports.state)
  const [active] = await db
    .select({ title: imports.title, percent: imports.percent })
    .from(imports)
    .where(and(inArray(imports.state, [...UNDER_WAY]), isOneOf(ids)))
    .limit(1)
  const [postponed] = await db
    .select({ source: imports.source, reason: imports.reason })
    .from(imports)
    .where(and(notInArray(imports.state, [...ENDED]), isNotNull(imports.reason), isOneOf(ids)))
    .limit(1)
  return { states: Object.fromEntries(rows.map(({ state, count }) => [state, count])), active, postponed }
}

/** Returns the source and the reason of each failed import among the given imports. */
export async function findFailed(
  db: Database,
  ids: readonly number[],
): Promise<Pick<ImportRow, 'source' | 'reason'>[]> {
  return await db
    .select({ source: imports.source, reason: imports.reason })
    .from(imports)
    .where(and(eq(imports.state, 'failed'), isOneOf(ids)))
    .orderBy(asc(imports.id))
}

/** Returns the given imports whose media lacks subtitles. */
export async function findNoted(
  db: Database,
  ids: readonly number[],
): Promise<Pick<ImportRow, 'source' | 'notes'>[]> {
  return await db
    .select({ source: imports.source, notes: imports.notes })
    .from(imports)
    .where(and(eq(imports.state, 'ready'), ne(imports.notes, []), isOneOf(ids)))
    .orderBy(asc(imports.id))
}

/** Passes all ids as one query parameter, because the number of parameters is limited. */
function isOneOf(ids: readonly number[]): SQL {
  return sql`${imports.id} in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
}

/**
 * Returns the number of imports in each state, and the mean preparation time per file in seconds; null if no file
 * has been prepared.
 */
export async function countImports(
  db: Database,
): Promise<{ states: Partial<Record<ImportState, number>>; meanSeconds: number | null }> {
  const rows = await db
    .select({
      state: imports.state,
      count: sql<number>`count(*)::int`,
      meanSeconds: sql<number | null>`avg(${imports.tookSeconds})`,
    })
    .from(imports)
    .groupBy(imports.state)
  return {
    states: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    meanSeconds: rows.find(({ state }) => state === 'ready')?.meanSeconds ?? null,
  }
}

/**
 * Returns all running imports, then up to `limit` waiting imports, then up to `limit` ended imports, the latest
 * first.
 */
export async function listImports(db: Database, limit: number): Promise<ImportRow[]> {
  const first = await db
    .select()
    .from(imports)
    .where(inArray(imports.state, [...UNDER_WAY]))
    .orderBy(asc(imports.id))
  const waiting = await db
    .select()
    .from(imports)
    .where(eq(imports.state, 'waiting'))
    .orderBy(asc(imports.attempts), asc(imports.id))
    .limit(limit)
  const ended = await db
    .select()
    .from(imports)
    .where(inArray(imports.state, [...ENDED]))
    .orderBy(desc(imports.updatedAt), desc(imports.id))
    .limit(limit)
  return [...first, ...waiting, ...ended]
}

/** Returns the asset or category of a file's media; undefined if it was deleted. */
export async function findTarget(
  db: Database | Transaction,
  target: MediaWork['target'],
): Promise<{ assetId: number } | { categoryId: number } | undefined> {
  if ('asset' in target) {
    const [row] = await db.select({ id: assets.id }).from(assets).where(eq(assets.sourceKey, target.asset))
    return row && { assetId: row.id }
  }
  const [row] = await db
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.sourceKey, target.category))
  return row && { categoryId: row.id }
}

/** Returns the media of an asset or a series; undefined if it has none. */
export async function findMedia(
  db: Database | Transaction,
  target: { assetId: number } | { categoryId: number },
  kind: MediaWork['media'],
): Promise<{ id: number; fingerprint: string; trackSetId: string } | undefined> {
  const [row] = await db
    .select({ id: medias.id, fingerprint: medias.fingerprint, trackSetId: medias.trackSetId })
    .from(medias)
    .where(
      and(
        eq(medias.kind, kind),
        'assetId' in target ? eq(medias.assetId, target.assetId) : eq(medias.categoryId, target.categoryId),
      ),
    )
  return row
}

/** Returns the progress of the running imports, from 0 to 100, by the source key of their asset. */
export async function progressByAsset(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ work: imports.work, percent: imports.percent })
    .from(imports)
    .where(inArray(imports.state, [...UNDER_WAY]))
  return new Map(
    rows.flatMap(({ work: { target, media }, percent }) =>
      media === 'main' && 'asset' in target ? [[target.asset, percent] as const] : [],
    ),
  )
}

/** Hides an asset whose media cannot be prepared. */
export async function failAsset(db: Database, sourceKey: string): Promise<void> {
  await db
    .update(assets)
    .set({ availability: 'failed' })
    .where(and(eq(assets.sourceKey, sourceKey), eq(assets.availability, 'preparing')))
}

/**
 * Withdraws assets of a library, in slices. Keeps the assets in `seen`, and the assets in unreadable folders.
 *
 * @returns the number of withdrawn assets
 */
export async function withdrawVanished(
  db: Database,
  library: string,
  seen: readonly string[],
  unread: readonly string[],
): Promise<number> {
  const isThere = ne(assets.availability, 'withdrawn')
  const rows = await db
    .select({ id: assets.id })
    .from(assets)
    .where(and(isVanished(library, seen, unread), isThere))
  await new Pace(MOST_WITHDRAWN).over(rows, async (some) => {
    const isSome = inArray(
      assets.id,
      some.map(({ id }) => id),
    )
    await db.update(assets).set({ availability: 'withdrawn' }).where(and(isSome, isThere))
  })
  return rows.length
}

/**
 * Raises the ratings of all seasons and episodes of a series, or of all episodes of a season, to the rating of the
 * series or season. Works in slices. Includes the seasons and episodes of other libraries, whose next import sets their
 * ratings again. Seasons with a rating of their own keep it.
 */
export async function raiseRatings(
  db: Database,
  {
    id,
    kind,
    moralityLevel,
    adult,
  }: Pick<typeof categories.$inferSelect, 'id' | 'kind' | 'moralityLevel' | 'adult'>,
): Promise<void> {
  const isLess = (table: typeof assets | typeof categories) =>
    or(lt(table.moralityLevel, moralityLevel), adult ? eq(table.adult, false) : undefined)
  const raised = (table: typeof assets | typeof categories) => ({
    moralityLevel: sql`greatest(${table.moralityLevel}, ${moralityLevel})`,
    adult: sql`${table.adult} or ${adult}`,
  })
  if (kind === 'series') {
    const isRated = db
      .select({ id: categoryRatings.categoryId })
      .from(categoryRatings)
      .where(and(eq(categoryRatings.categoryId, categories.id), isNotNull(categoryRatings.moralityLevel)))
    await db
      .update(categories)
      .set(raised(categories))
      .where(and(eq(categories.parentId, id), isLess(categories), notExists(isRated)))
  }
  const rows = await db
    .select({ id: assets.id })
    .from(assets)
    .where(and(eq(kind === 'series' ? assets.serieId : assets.seasonId, id), isLess(assets)))
  await new Pace(MOST_WITHDRAWN).over(rows, async (some) => {
    const isSome = inArray(
      assets.id,
      some.map((row) => row.id),
    )
    await db.update(assets).set(raised(assets)).where(isSome)
  })
}

/** Condition for the assets of a library whose files a scan has not seen. */
function isVanished(library: string, seen: readonly string[], unread: readonly string[]): SQL | undefined {
  return and(
    isInLibrary(library),
    isNoneOf(assets.sourceKey, seen),
    ...unread.map((path) => sql`not starts_with(${assets.sourceKey}, ${`${library}:${path}`})`),
  )
}

function isInLibrary(library: string, folder = ''): SQL {
  return sql`starts_with(${assets.sourceKey}, ${`${library}:${folder}`})`
}

/** An asset, and the file that it was made from. */
export interface StoredVideo {
  id: number
  /** Name of the library of the file, see `libraryName`. */
  library: string
  /** Path of the file in the library. */
  key: string
  kind: 'film' | 'episode'
  availability: typeof assets.$inferSelect.availability
  /** Key of the series' folder, season and number of an episode; null for a film. */
  place: { series: string; season: number | null; episode: number | null } | null
  /** Fingerprint of the file; null if it is unknown. */
  fingerprint: string | null
}

const SERIES_PREFIX = 'series:'

/** Columns of a {@link StoredVideo}, of a query that joins the series of the assets. */
const STORED_VIDEO = {
  id: assets.id,
  sourceKey: assets.sourceKey,
  kind: assets.kind,
  availability: assets.availability,
  series: categories.sourceKey,
  season: assets.seasonNumber,
  episode: assets.episodeNumber,
}

type StoredVideoRow = Pick<StoredVideo, 'id' | 'library' | 'kind' | 'availability' | 'fingerprint'> & {
  sourceKey: string
  series: string | null
  season: number | null
  episode: number | null
}

function storedVideo({ sourceKey, series, season, episode, ...row }: StoredVideoRow): StoredVideo {
  return {
    ...row,
    key: sourceKey.slice(row.library.length + 1),
    place: series === null ? null : { series: series.slice(SERIES_PREFIX.length), season, episode },
  }
}

/** Returns the assets of a library whose files are not in `seen`. Skips assets in unreadable folders. */
export async function findVanished(
  db: Database,
  library: string,
  seen: readonly string[],
  unread: readonly string[],
): Promise<StoredVideo[]> {
  const rows = await db
    .select({ ...STORED_VIDEO, fingerprint: medias.fingerprint })
    .from(assets)
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .leftJoin(medias, and(eq(medias.assetId, assets.id), eq(medias.kind, 'main')))
    .where(isVanished(library, seen, unread))
    .orderBy(asc(assets.id))
  return rows.map((row) => storedVideo({ ...row, library }))
}

/** An asset with the absolute path of its file. */
export interface ImportedVideo extends StoredVideo {
  source: string
}

/**
 * Returns the assets of all libraries whose files have one of these contents.
 *
 * @param prints video parts of fingerprints
 */
export async function findByContent(db: Database, prints: readonly string[]): Promise<ImportedVideo[]> {
  const { library, source, fingerprint } = imports
  const rows = await db
    .select({ ...STORED_VIDEO, library, source, fingerprint })
    .from(imports)
    .innerJoin(assets, sql`${assets.sourceKey} = ${imports.work} #>> '{target,asset}'`)
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .where(
      and(
        inArray(imports.kind, ['film', 'episode']),
        isAmong(sql`split_part(${fingerprint}, '.', 1)`, prints),
      ),
    )
    .orderBy(asc(assets.id))
  return rows.map(({ source, ...row }) => ({ ...storedVideo(row), source }))
}

/** Returns whether any file was imported, into any library. */
export async function hasImports(db: Database): Promise<boolean> {
  return (await db.select({ id: imports.id }).from(imports).limit(1)).length > 0
}

/** Returns the ids of the assets with the given source keys, by source key. */
export async function findKnownKeys(db: Database, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ key: assets.sourceKey, id: assets.id })
    .from(assets)
    .where(isAmong(assets.sourceKey, keys))
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Reads the titles of a library, and the series of all libraries, those with titles first. */
export async function readKnownTitles(db: Database, library: string): Promise<KnownTitles> {
  const videos = await db
    .select({ key: assets.sourceKey, kind: assets.kind })
    .from(assets)
    .where(isInLibrary(library))
  const hasTitles = exists(
    db
      .select({ id: assets.id })
      .from(assets)
      .where(and(eq(assets.serieId, categories.id), ne(assets.availability, 'withdrawn'))),
  )
  const series = await db
    .select({ key: categories.sourceKey })
    .from(categories)
    .where(and(eq(categories.kind, 'series'), sql`starts_with(${categories.sourceKey}, ${SERIES_PREFIX})`))
    .orderBy(desc(hasTitles), asc(categories.id))
  return {
    videos: new Map(videos.map(({ key, kind }) => [key.slice(library.length + 1), kind])),
    series: new Set(series.map(({ key }) => key.slice(SERIES_PREFIX.length))),
  }
}

/** Returns the given keys of series' folders for which no series exists yet. */
export async function findNewSeries(db: Database, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ key: categories.sourceKey })
    .from(categories)
    .where(
      isAmong(
        categories.sourceKey,
        keys.map((key) => SERIES_PREFIX + key),
      ),
    )
  const known = new Set(rows.map(({ key }) => key.slice(SERIES_PREFIX.length)))
  return new Set(keys.filter((key) => !known.has(key)))
}

/** Replacement of an asset's file. */
export interface Relinking {
  oldKey: string
  newKey: string
  /** Absolute paths of the files. */
  oldSource: string
  newSource: string
}

/**
 * Assigns new files of a library to assets. An import of an old file that has not ended waits again, for the new file.
 */
export async function relinkAssets(
  db: Database,
  library: string,
  relinkings: readonly Relinking[],
): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(relinkings)}::jsonb)
    as given ("oldKey" text, "newKey" text, "oldSource" text, "newSource" text)`
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`update ${assets} set source_key = given."newKey" from ${given} where ${assets.sourceKey} = given."oldKey"`,
    )
    await tx.execute(
      sql`delete from ${imports} using ${given} where ${imports.source} = given."newSource" and given."oldSource" <> given."newSource"`,
    )
    await tx.execute(sql`
      update ${imports} set
        library = ${library},
        work = jsonb_set(${imports.work}, '{target,asset}', to_jsonb(given."newKey")),
        source = case when ${imports.source} = given."oldSource" then given."newSource" else ${imports.source} end,
        state = ${settled}
      from ${given} where ${imports.work} #>> '{target,asset}' = given."oldKey"`)
  })
}

/** The state of an import after a change of its target: `waiting`, unless it has ended. */
const settled = sql`case when ${inArray(imports.state, [...ENDED])} then ${imports.state} else 'waiting' end`

/**
 * Assigns new folders to series that have no episodes left.
 *
 * @param moved the old and new keys of the series' folders
 * @param vanished ids of episodes without files, which do not count as left
 * @returns the series that were changed
 */
export async function relinkSeries(
  db: Database,
  moved: readonly (readonly [from: string, to: string])[],
  vanished: readonly number[],
): Promise<(readonly [from: string, to: string])[]> {
  const done: (readonly [from: string, to: string])[] = []
  for (const pair of moved) {
    const [from, to] = pair.map((key) => SERIES_PREFIX + key)
    const isElsewhere = db
      .select({ id: assets.id })
      .from(assets)
      .where(
        and(
          eq(assets.serieId, categories.id),
          ne(assets.availability, 'withdrawn'),
          sql`${assets.id} not in (select value::int from jsonb_array_elements_text(${JSON.stringify(vanished)}::jsonb))`,
        ),
      )
    await db.transaction(async (tx) => {
      const rows = await tx
        .update(categories)
        .set({ sourceKey: to })
        .where(and(eq(categories.sourceKey, from ?? ''), notExists(isElsewhere)))
        .returning({ id: categories.id })
      if (rows.length === 0) return
      await tx
        .update(categories)
        .set({ sourceKey: sql`${to}::text || substr(${categories.sourceKey}, ${(from ?? '').length + 1})` })
        .where(sql`starts_with(${categories.sourceKey}, ${`${from}/`})`)
      await tx
        .update(imports)
        .set({
          work: sql`jsonb_set(${imports.work}, '{target,category}', to_jsonb(${to}::text))`,
          state: settled,
        })
        .where(sql`${imports.work} #>> '{target,category}' = ${from}`)
      done.push(pair)
    })
  }
  return done
}

/** Source keys of titles without a trailer: assets, and categories of series. */
export interface Trailerless {
  assets: string[]
  categories: string[]
}

/**
 * Deletes the trailers of titles whose library has none any more, in slices. Keeps the trailer of a series that was
 * made from a file of another library, because libraries share series of the same name.
 */
export async function removeTrailers(
  db: Database,
  library: string,
  { assets: assetKeys, categories: categoryKeys }: Trailerless,
): Promise<void> {
  const isOfAnother = db
    .select({ id: imports.id })
    .from(imports)
    .where(
      and(
        ne(imports.library, library),
        eq(imports.fingerprint, medias.fingerprint),
        sql`${imports.work} #>> '{target,category}' = ${categories.sourceKey}`,
      ),
    )
  const rows = await db
    .select({ id: medias.id })
    .from(medias)
    .leftJoin(assets, eq(assets.id, medias.assetId))
    .leftJoin(categories, eq(categories.id, medias.categoryId))
    .where(
      and(
        eq(medias.kind, 'trailer'),
        or(
          isAmong(assets.sourceKey, assetKeys),
          and(isAmong(categories.sourceKey, categoryKeys), notExists(isOfAnother)),
        ),
      ),
    )
  await new Pace(MOST_WITHDRAWN).over(rows, async (some) => {
    await db.delete(medias).where(
      inArray(
        medias.id,
        some.map(({ id }) => id),
      ),
    )
  })
}

/** Returns the names of the libraries with assets that are not withdrawn. */
export async function listLibraries(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ library: imports.library })
    .from(imports)
    .innerJoin(assets, sql`${assets.sourceKey} = ${imports.work} #>> '{target,asset}'`)
    .where(ne(assets.availability, 'withdrawn'))
  return rows.map(({ library }) => library)
}

/**
 * Returns the number of assets of a library that are not withdrawn.
 *
 * @param folder path of a folder in the library, with a separator at its end; empty for the whole library
 */
export async function countAssets(db: Database, library: string, folder = ''): Promise<number> {
  return await db.$count(assets, and(isInLibrary(library, folder), ne(assets.availability, 'withdrawn')))
}

type KeyColumn = typeof imports.source | typeof assets.sourceKey | typeof categories.sourceKey | SQL

/** Passes all values as one query parameter, because the number of parameters is limited. */
function isAmong(column: KeyColumn, values: readonly string[]): SQL {
  return sql`${column} in (select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
}

function isNoneOf(column: KeyColumn, values: readonly string[]): SQL {
  return not(isAmong(column, values))
}
