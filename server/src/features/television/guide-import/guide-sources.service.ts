import type { GuideSource } from '@ondine/contract/import-sources'
import { asc, eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { SourceError } from '../../../outbound/open-source.ts'
import { guideSources } from './guide.table.ts'
import { requestGuidePictures } from './guide-pictures.ts'
import { type GuideImport, type GuideProgress, importGuide } from './import-guide.ts'
import { type ImportRun, latestRuns, recordRun } from './import-runs.service.ts'
import {
  IMPORT_JOB,
  importKey,
  requireFetchable,
  scheduleImport,
  unscheduleImport,
} from './import-sources.service.ts'
import { lockGuide, removeProgrammesOf } from './programmes.service.ts'
import { XmltvError } from './xmltv-error.ts'

/** Queue of the jobs that import a guide. */
export const IMPORT_GUIDE = 'guide-import'

export type GuideSourceRow = GuideSource & { id: number }

type Parts = Pick<Context, 'db' | 'jobs'>

/**
 * Stores a source, or changes the source with the same name. Schedules its import by its cron expression.
 *
 * @throws ImportSourceError
 */
export async function putGuideSource(parts: Parts, source: GuideSource): Promise<GuideSourceRow> {
  const { name: _name, ...fields } = source
  await prepare(parts, source)
  const [row] = await parts.db
    .insert(guideSources)
    .values(source)
    .onConflictDoUpdate({ target: guideSources.name, set: fields })
    .returning()
  if (!row) throw new Error('The source was not stored.')
  return row
}

/**
 * Stores a new source.
 *
 * @returns undefined if a source with that name already exists.
 * @throws ImportSourceError
 */
export async function addGuideSource(parts: Parts, source: GuideSource): Promise<GuideSourceRow | undefined> {
  if (await findGuideSource(parts, source.name)) return undefined
  await prepare(parts, source)
  const [row] = await parts.db.insert(guideSources).values(source).onConflictDoNothing().returning()
  return row
}

async function prepare({ jobs }: Parts, { name, location, cron }: GuideSource): Promise<void> {
  requireFetchable(location)
  await scheduleImport(jobs, IMPORT_GUIDE, name, cron)
}

/** Deletes a source with its programmes. @returns whether the source existed. */
export async function removeGuideSource({ db, jobs }: Parts, name: string): Promise<boolean> {
  const source = await findGuideSource({ db }, name)
  if (source) await removeProgrammesOf(db, source.id)
  const gone = await db.transaction(async (tx) => {
    // An import may have added programmes in the meantime. Deleting the source also deletes these programmes.
    await lockGuide(tx)
    return await tx.delete(guideSources).where(eq(guideSources.name, name)).returning({ id: guideSources.id })
  })
  await unscheduleImport(jobs, IMPORT_GUIDE, name)
  return gone.length > 0
}

export async function findGuideSourceById(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<GuideSourceRow | undefined> {
  const [row] = await db.select().from(guideSources).where(eq(guideSources.id, id))
  return row
}

export async function findGuideSource(
  { db }: Pick<Context, 'db'>,
  name: string,
): Promise<GuideSourceRow | undefined> {
  const [row] = await db.select().from(guideSources).where(eq(guideSources.name, name))
  return row
}

/** Returns the settings of a source in the form that operators edit. */
export function describedSource({
  name,
  location,
  timeZone,
  cron,
  language,
  unratedLevel,
  priority,
  mapping,
}: GuideSourceRow): GuideSource {
  return { name, location, timeZone, cron, language, unratedLevel, priority, mapping }
}

/** Returns all sources by name, each with its latest import. */
export async function listGuideSources({
  db,
}: Pick<Context, 'db'>): Promise<(GuideSourceRow & { run: ImportRun | null })[]> {
  const [rows, runs] = await Promise.all([
    db.select().from(guideSources).orderBy(asc(guideSources.name)),
    latestRuns(db, 'sourceId'),
  ])
  return rows.map((row) => ({ ...row, run: runs.get(row.id) ?? null }))
}

/** Requests the import of a source. The import begins as soon as a worker is free. */
export async function requestGuideImport({ jobs }: Pick<Context, 'jobs'>, name: string): Promise<void> {
  await jobs.declare(IMPORT_GUIDE, IMPORT_JOB)
  await jobs.send(IMPORT_GUIDE, importKey(name), { name })
}

const DAY_MS = 86_400_000

const HOUR_MS = 3_600_000

/**
 * Returns the start of the retained past, in milliseconds since the Unix epoch: programmes that ended earlier are
 * deleted. Retains today, and the greatest number of past days that any storefront shows (V9-04). One of these
 * days may have 25 hours.
 */
export function keptFrom({
  configurations,
  storefronts,
  clock,
}: Pick<Context, 'configurations' | 'storefronts' | 'clock'>): number {
  const days = storefronts.list().map(({ id }) => configurations.of(id).guide.epgGridConfiguration.pastDays)
  return clock.now() - (Math.max(0, ...days) + 1) * DAY_MS - HOUR_MS
}

/**
 * Imports a source now, and stores the result. A separate job fetches the pictures.
 *
 * @throws SourceError, XmltvError
 */
export async function runGuideSource(
  context: Pick<
    Context,
    | 'db'
    | 'jobs'
    | 'log'
    | 'clock'
    | 'settings'
    | 'connection'
    | 'configurations'
    | 'storefronts'
    | 'onGuideChanged'
  >,
  source: GuideSourceRow,
  { signal, onProgress }: GuideProgress,
): Promise<GuideImport> {
  const done = await recordRun(
    context,
    { sourceId: source.id },
    async (onPercent) =>
      await importGuide(context, source, keptFrom(context), {
        signal,
        onProgress: (text, percent) => {
          onPercent(percent)
          onProgress(text, percent)
        },
      }),
    ({ remarks, ...counts }) => ({ counts, remarks }),
    guideFailure,
  )
  // The import has succeeded even if this request fails. Then the next scheduled round fetches the pictures.
  await requestGuidePictures(context).catch((error: unknown) => {
    context.log.warn({ err: error, source: source.name }, 'the pictures of a guide could not be requested')
  })
  return done
}

/** Returns the reason why an import failed, as text. Undefined for an internal error. */
export function guideFailure(error: unknown): string | undefined {
  if (error instanceof XmltvError) return `Line ${error.line}: ${error.message}`
  return error instanceof SourceError ? error.message : undefined
}
