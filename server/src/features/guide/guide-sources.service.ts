import { hash } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Context } from '../../context.ts'
import { isAddress, SourceError } from '../../outbound/open-source.ts'
import { isTimeZone } from '../channels/schedule-rules.ts'
import { guideSources } from './guide.table.ts'
import { type GuideImport, type GuideProgress, importGuide } from './import-guide.ts'
import { type ImportRun, latestRuns, recordRun } from './import-runs.ts'
import { XmltvError } from './xmltv-reader.ts'

/** The kind of work that imports a guide. */
export const IMPORT_GUIDE = 'guide-import'

/** How a source of a guide is described. */
export const guideSource = z.object({
  name: z.string().trim().min(1).max(100),
  location: z.string().trim().min(1).max(2000),
  timeZone: z.string().refine(isTimeZone, 'is not a known time zone').default('UTC'),
  cron: z
    .string()
    .regex(/^\S+(\s+\S+){4}$/, 'must be a cron expression of five fields')
    .nullable()
    .default(null),
  language: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a three-letter code')
    .default('fra'),
  unratedLevel: z.int().min(0).max(6).default(6),
  mapping: z.record(z.string().max(200), z.string().max(200)).default({}),
})
export type GuideSource = z.infer<typeof guideSource>
export type GuideSourceRow = GuideSource & { id: number }

/** A source that cannot be as it is described, in words. */
export class GuideSourceError extends Error {
  override name = 'GuideSourceError'
}

type Parts = Pick<Context, 'db' | 'jobs'>

/**
 * Keeps a source, or changes the one of that name, and has it imported by its cron expression.
 *
 * @throws GuideSourceError
 */
export async function putGuideSource({ db, jobs }: Parts, source: GuideSource): Promise<GuideSourceRow> {
  const { name: _name, ...fields } = source
  if (isAddress(source.location) && !/^https?:/i.test(source.location))
    throw new GuideSourceError('Only http and https addresses are fetched.')
  await jobs.declare(IMPORT_GUIDE)
  try {
    if (source.cron === null) await jobs.unschedule(IMPORT_GUIDE, keyOf(source.name))
    else await jobs.schedule(IMPORT_GUIDE, source.cron, keyOf(source.name), { name: source.name })
  } catch (error) {
    throw new GuideSourceError(`${source.cron} is no cron expression.`, { cause: error })
  }
  const [row] = await db
    .insert(guideSources)
    .values(source)
    .onConflictDoUpdate({ target: guideSources.name, set: fields })
    .returning()
  if (!row) throw new Error('The source was not stored.')
  return row
}

/** Forgets a source with what it announced. @returns whether there was one. */
export async function removeGuideSource({ db, jobs }: Parts, name: string): Promise<boolean> {
  const gone = await db
    .delete(guideSources)
    .where(eq(guideSources.name, name))
    .returning({ id: guideSources.id })
  await jobs.declare(IMPORT_GUIDE)
  await jobs.unschedule(IMPORT_GUIDE, keyOf(name))
  return gone.length > 0
}

export async function findGuideSource(
  { db }: Pick<Context, 'db'>,
  name: string,
): Promise<GuideSourceRow | undefined> {
  const [row] = await db.select().from(guideSources).where(eq(guideSources.name, name))
  return row
}

/** All sources by name, each with its latest import. */
export async function listGuideSources({
  db,
}: Pick<Context, 'db'>): Promise<(GuideSourceRow & { run: ImportRun | null })[]> {
  const [rows, runs] = await Promise.all([
    db.select().from(guideSources).orderBy(asc(guideSources.name)),
    latestRuns(db, 'sourceId'),
  ])
  return rows.map((row) => ({ ...row, run: runs.get(row.id) ?? null }))
}

/** Has a source imported as soon as a worker is free. */
export async function requestGuideImport({ jobs }: Pick<Context, 'jobs'>, name: string): Promise<void> {
  await jobs.declare(IMPORT_GUIDE)
  await jobs.send(IMPORT_GUIDE, keyOf(name), { name })
}

/** The job queue wants plain letters for its keys. */
function keyOf(name: string): string {
  return hash('md5', name, 'hex')
}

const DAY_MS = 86_400_000

/** From when on the past is kept: the days that any storefront shows, and the one before them (V9-04). */
export function keptFrom({
  configurations,
  storefronts,
  clock,
}: Pick<Context, 'configurations' | 'storefronts' | 'clock'>): number {
  const days = storefronts.list().map(({ id }) => configurations.of(id).guide.epgGridConfiguration.pastDays)
  return clock.now() - (Math.max(0, ...days) + 1) * DAY_MS
}

/**
 * Imports a source now, and keeps what came of it.
 *
 * @throws SourceError, XmltvError
 */
export async function runGuideSource(
  context: Pick<Context, 'db' | 'clock' | 'settings' | 'configurations' | 'storefronts'>,
  source: GuideSourceRow,
  { signal, onProgress }: GuideProgress,
): Promise<GuideImport> {
  return await recordRun(
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
}

/** Why an import failed, in words; undefined when that is nobody's fault but ours. */
export function guideFailure(error: unknown): string | undefined {
  if (error instanceof XmltvError) return `Line ${error.line}: ${error.message}`
  return error instanceof SourceError ? error.message : undefined
}
