import { EDITORIAL_TYPES, editorialData, faqData, listEditorial } from '@ondine/contract/editorial'
import type { Context } from '../../../context.ts'
import type { Call, On } from '../../../http/operations.ts'
import { type EditorialReader, listArticles, readArticle, readQuestions } from './editorial.service.ts'
import { TitleIndex } from './title-index.ts'

/** Shared caches may store the answer, because all viewers who are not signed in get the same answer. */
const SHARED = { sharedAmongVisitors: true }

export function registerEditorial(on: On, { db, catalogue, viewers }: Context): void {
  const sources = { db, catalogue, titles: new TitleIndex() }
  const readerOf = async (call: Call): Promise<EditorialReader> => ({
    storefrontId: call.storefront.id,
    viewer: await viewers.of(call, call.now),
    language: call.language,
    now: call.now,
  })

  on(
    listEditorial,
    async ({ type, keyword, page, itemsPerPage }, call) =>
      await listArticles(db, await readerOf(call), { type, topic: keyword }, { page, itemsPerPage }),
    SHARED,
  )

  on(
    editorialData,
    async ({ type, slug }, call) =>
      await readArticle(sources, await readerOf(call), type ?? EDITORIAL_TYPES.page, slug),
    SHARED,
  )

  on(faqData, async (_input, call) => await readQuestions(sources, await readerOf(call)), SHARED)
}
