import type { PresentedRun } from '@ondine/contract/import-calls'
import { and, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { importRuns } from './guide.table.ts'

/** The source of an import: a guide source or a channel list. */
export type ImportSubject = { sourceId: number } | { listId: number }

/** Result of an import, in the form that is stored. */
export interface ImportOutcome {
  counts: Record<string, number>
  remarks: { line: number; reason: string }[]
}

export type ImportRun = typeof importRuns.$inferSelect

/** Maximum number of stored remarks per import. */
const KEPT_REMARKS = 1000
/** Number of stored imports per source and per list. */
const KEPT_RUNS = 20
/** Minimum time between two writes of the progress, in milliseconds. */
const PROGRESS_MS = 1000

/**
 * Runs an import, and records its progress and its result for operators. Also records the reason of a failure.
 *
 * @param failureOf returns the reason as text; undefined for an internal error.
 */
export async function recordRun<Result>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  subject: ImportSubject,
  work: (onPercent: (percent: number) => void) => Promise<Result>,
  outcomeOf: (result: Result) => ImportOutcome,
  failureOf: (error: unknown) => string | undefined,
): Promise<Result> {
  const [run] = await db
    .insert(importRuns)
    .values({ ...subject, startedAt: clock.now() })
    .returning({ id: importRuns.id })
  if (!run) throw new Error('The import was not recorded.')
  const set = async (fields: Partial<typeof importRuns.$inferInsert>) =>
    await db.update(importRuns).set(fields).where(eq(importRuns.id, run.id))
  let noted = 0
  let writing = Promise.resolve<unknown>(undefined)
  try {
    const result = await work((percent) => {
      if (Math.abs(Date.now() - noted) < PROGRESS_MS) return
      noted = Date.now()
      // A failure to store the progress does not stop the import. If the database stays unavailable, storing the
      // result at the end throws an error.
      writing = writing.then(async () => await set({ percent })).catch(() => undefined)
    })
    await writing
    const { counts, remarks } = outcomeOf(result)
    // A process that has started in the meantime may have stored this import as lost. So clear the failure.
    const failure = null
    await set({
      percent: 100,
      endedAt: clock.now(),
      failure,
      counts,
      remarks: remarks.slice(0, KEPT_REMARKS),
    })
    return result
  } catch (error) {
    await set({
      endedAt: clock.now(),
      failure: failureOf(error) ?? 'It was interrupted, or failed; the log says why.',
    })
    throw error
  } finally {
    await forgetOld(db, subject)
  }
}

async function forgetOld(db: Database, subject: ImportSubject): Promise<void> {
  const kept = db
    .select({ id: importRuns.id })
    .from(importRuns)
    .where(ofSubject(subject))
    .orderBy(desc(importRuns.id))
    .limit(KEPT_RUNS)
  await db.delete(importRuns).where(and(ofSubject(subject), sql`${importRuns.id} not in ${kept}`))
}

function ofSubject(subject: ImportSubject) {
  return 'sourceId' in subject
    ? eq(importRuns.sourceId, subject.sourceId)
    : eq(importRuns.listId, subject.listId)
}

/** Returns the latest import of each source, or of each list. */
export async function latestRuns(db: Database, kind: 'sourceId' | 'listId'): Promise<Map<number, ImportRun>> {
  const newest = db
    .select({ id: sql<number>`max(${importRuns.id})` })
    .from(importRuns)
    .groupBy(importRuns[kind])
  const rows = await db.select().from(importRuns).where(inArray(importRuns.id, newest))
  return new Map(rows.flatMap((row) => (row[kind] === null ? [] : [[row[kind], row] as const])))
}

/** Returns the imports of a source or of a list, the newest first. */
export async function listRuns(
  db: Database,
  subject: ImportSubject,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; runs: ImportRun[] }> {
  const [runs, total] = await Promise.all([
    db
      .select()
      .from(importRuns)
      .where(ofSubject(subject))
      .orderBy(desc(importRuns.id))
      .offset(offset)
      .limit(limit),
    db.$count(importRuns, ofSubject(subject)),
  ])
  return { total, runs }
}

export async function findRun(db: Database, id: number): Promise<ImportRun | undefined> {
  const [row] = await db.select().from(importRuns).where(eq(importRuns.id, id))
  return row
}

/** Ends the records of imports that began before `before` and have not ended, because their process was killed. */
export async function endLostRuns(db: Database, before: number, now: number): Promise<void> {
  await db
    .update(importRuns)
    .set({ endedAt: now, failure: 'It was interrupted; run it again.' })
    .where(and(isNull(importRuns.endedAt), lt(importRuns.startedAt, before)))
}

/** Describes the result of an import in one line. */
export function describeRun(run: ImportRun | null): string {
  if (!run) return 'not imported yet'
  const at = new Date(run.startedAt).toISOString()
  if (run.failure !== null) return `${at} failed: ${run.failure}`
  if (run.endedAt === null) return `${at} under way: ${run.percent.toFixed(0)} %`
  const counts = Object.entries(run.counts).map(([what, count]) => `${what} ${count}`)
  return `${at} ${counts.join(', ')}; ${run.remarks.length} remarks`
}

/** Presents an import in the form of the operators' API. */
export function presentRun(run: ImportRun): PresentedRun {
  return {
    id: run.id,
    startedAt: run.startedAt / 1000,
    endedAt: run.endedAt === null ? null : run.endedAt / 1000,
    percent: run.percent,
    failure: run.failure,
    counts: run.counts,
    remarks: run.remarks.length,
  }
}
