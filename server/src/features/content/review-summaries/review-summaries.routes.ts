import { aISummary } from '@ondine/contract/review-summaries'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'
import { requireTitle } from '../catalogue/cards.service.ts'
import { readSummary } from './review-summaries.service.ts'

export function registerReviewSummaries(
  on: On,
  { viewers, catalogue: parts, configurations }: Context,
): void {
  on(
    aISummary,
    async (named, call) => {
      const { db, language, now, storefront } = call
      const title = await requireTitle(parts, named, { viewer: await viewers.of(call, now), language, now })
      return await readSummary(db, title, language, configurations.of(storefront.id).catalogue.aiSummary)
    },
    { sharedAmongVisitors: true },
  )
}
