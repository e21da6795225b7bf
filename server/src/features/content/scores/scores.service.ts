import type { TitleScore } from '@ondine/contract/scores'
import { and, avg, count, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { type NamedTitle, requireTitle, type Title } from '../catalogue/cards.service.ts'
import type { Reader } from '../catalogue/catalogue.presenter.ts'
import type { CatalogueParts } from '../catalogue/catalogue.service.ts'
import { scores } from './scores.table.ts'

/**
 * Returns the reader's own score of a title, and the average of all profiles (V7-16).
 *
 * @throws ServiceError `contentIdMissing`; `notFound` if the title does not exist or is hidden from the reader
 */
export async function readScore(
  db: Database,
  parts: CatalogueParts,
  named: NamedTitle,
  reader: Reader,
): Promise<TitleScore> {
  return await scoreOf(db, await requireTitle(parts, named, reader), reader.viewer.profileId)
}

/**
 * Stores a profile's score of a title. A score of 0 removes the profile's score (V7-17).
 *
 * @throws ServiceError as {@link readScore}
 */
export async function changeScore(
  db: Database,
  parts: CatalogueParts,
  { score, ...named }: NamedTitle & { score: number },
  profileId: number,
  reader: Reader,
): Promise<TitleScore> {
  const title = await requireTitle(parts, named, reader)
  if (score === 0) {
    await db.delete(scores).where(and(eq(scores.profileId, profileId), isOf(title)))
  } else {
    const given = { score, updatedAt: reader.now }
    await db
      .insert(scores)
      .values({ profileId, ...title, ...given })
      .onConflictDoUpdate({
        target: [scores.profileId, 'assetId' in title ? scores.assetId : scores.categoryId],
        set: given,
      })
  }
  return await scoreOf(db, title, profileId)
}

async function scoreOf(db: Database, title: Title, profileId: number | null): Promise<TitleScore> {
  const [row] = await db
    .select({
      average: avg(scores.score),
      count: count(),
      score: sql<number | null>`max(${scores.score}) filter (where ${scores.profileId} = ${profileId ?? 0})`,
    })
    .from(scores)
    .where(isOf(title))
  return {
    score: row?.score ?? null,
    average: row?.average == null ? null : Math.round(Number(row.average) * 10) / 10,
    count: row?.count ?? 0,
  }
}

function isOf(title: Title) {
  return 'assetId' in title ? eq(scores.assetId, title.assetId) : eq(scores.categoryId, title.categoryId)
}
