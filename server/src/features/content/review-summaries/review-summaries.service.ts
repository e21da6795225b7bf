import type { Configuration } from '@ondine/contract/configuration'
import type { Language } from '@ondine/contract/languages'
import type { ReviewSummary } from '@ondine/contract/review-summaries'
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { inLanguage } from '../../../metadata/texts.ts'
import type { Title } from '../catalogue/cards.service.ts'
import { reviewSummaries, type SummaryTexts } from './review-summaries.table.ts'

/** Configuration of the parts of summaries that an operator shows (V1-10, V3-49). */
export type ShownOfSummaries = Configuration['catalogue']['aiSummary']

/** Returns the parts of a title's summary that the operator shows; null if no part remains. */
export async function readSummary(
  db: Database,
  title: Title,
  language: Language,
  shown: ShownOfSummaries,
): Promise<ReviewSummary | null> {
  if (!shown.enabled) return null
  const [row] = await db.select().from(reviewSummaries).where(isOf(title))
  const written = row && inLanguage(row.texts, language)
  return written === undefined ? null : asShown(written, shown)
}

/** Replaces the summaries of a title. An empty record removes all summaries. */
export async function putSummary(tx: Transaction, title: Title, texts: SummaryTexts): Promise<void> {
  if (Object.keys(texts).length === 0) {
    await tx.delete(reviewSummaries).where(isOf(title))
    return
  }
  await tx
    .insert(reviewSummaries)
    .values({ ...title, texts })
    .onConflictDoUpdate({
      target: 'assetId' in title ? reviewSummaries.assetId : reviewSummaries.categoryId,
      set: { texts },
    })
}

function asShown(written: ReviewSummary, shown: ShownOfSummaries): ReviewSummary | null {
  const most = shown.sentiments ? shown.sentimentsLimit : 0
  const summary = shown.description ? written.summary : ''
  const positive = written.sentiment.positive.slice(0, most)
  const negative = written.sentiment.negative.slice(0, most)
  const reviews = written.reviews.slice(0, shown.criticalReviews ? shown.criticalReviewsLimit : 0)
  const isEmpty = summary === '' && positive.length + negative.length + reviews.length === 0
  return isEmpty ? null : { summary, sentiment: { positive, negative }, reviews }
}

function isOf(title: Title) {
  return 'assetId' in title
    ? eq(reviewSummaries.assetId, title.assetId)
    : eq(reviewSummaries.categoryId, title.categoryId)
}
