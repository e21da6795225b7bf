import { related as relatedOperation, search as searchOperation } from '@ondine/contract/search'
import type { Context } from '../../../context.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import * as searches from './search.service.ts'

/** Shared caches may store the answer, because all viewers who are not signed in get the same answer. */
const SHARED = { sharedAmongVisitors: true }

export function registerSearch(on: On, context: Context): void {
  const { viewers, configurations, catalogue: parts } = context

  const readerOf = async (call: Call): Promise<Reader> => ({
    viewer: await viewers.of(call, call.now),
    language: call.language,
    now: call.now,
  })

  on(
    searchOperation,
    async ({ term, searchBy, filter, type, page, count, itemsPerPage }, call) => {
      const reader = { ...(await readerOf(call)), storefrontId: call.storefront.id }
      if (filter) {
        const { type: filtered = type, languageId = call.language, ...values } = filter
        const facets = Object.entries(values).filter(([, value]) => value !== undefined)
        // Safe cast: the schema allows only these keys.
        const wanted = { facets: facets as [keyof typeof values, string][] }
        const asked = { type: filtered, page, size: itemsPerPage }
        return await searches.search(context, wanted, asked, { ...reader, language: languageId })
      }
      if (term === undefined)
        throw invalidFields([{ field: 'term', message: 'is needed, unless a filter is given' }])
      const wanted =
        searchBy === undefined
          ? { words: term }
          : { facets: [[searchBy, term] as const] as [typeof searchBy, string][] }
      return await searches.search(context, wanted, { type, page, size: count }, reader)
    },
    SHARED,
  )

  on(
    relatedOperation,
    async ({ contentId, contentType, extras }, call) => {
      if (contentId === undefined) throw new ServiceError('contentIdMissing')
      const configured = configurations.of(call.storefront.id).catalogue.related
      const content = { type: contentType, id: contentId }
      return await searches.related(call.db, parts, content, extras ?? configured, await readerOf(call))
    },
    SHARED,
  )
}
