import { EDITORIAL_TYPES, editorialData, faqData, listEditorial } from '@ondine/contract/editorial'
import type { Call, On } from '../../http/operations.ts'
import { viewerOf } from '../entitlements/entitlements.service.ts'
import { type EditorialReader, listArticles, readArticle, readQuestions } from './editorial.service.ts'
import type { TitleIndex } from './title-index.ts'

/** Answers to visitors are all alike, so they may be shared for a moment. */
const SHARED = { sharedAmongVisitors: true }

export function registerEditorial(on: On, titles: TitleIndex): void {
  on(
    listEditorial,
    async ({ type, keyword, page, itemsPerPage }, call) =>
      await listArticles(call.db, await readerOf(call), { type, topic: keyword }, { page, itemsPerPage }),
    SHARED,
  )
  on(
    editorialData,
    async ({ type, slug }, call) =>
      await readArticle(call.db, titles, await readerOf(call), type ?? EDITORIAL_TYPES.page, slug),
    SHARED,
  )
  on(faqData, async (_input, call) => await readQuestions(call.db, titles, await readerOf(call)), SHARED)
}

async function readerOf({ db, account, profile, language, storefront, now }: Call): Promise<EditorialReader> {
  const viewer = await viewerOf(db, { account, profile }, now)
  return { storefrontId: storefront.id, viewer, language, now }
}
