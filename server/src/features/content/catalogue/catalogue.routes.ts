import {
  activeAssets,
  assets,
  CONTENT_TYPES,
  type ContentType,
  contentData,
  hierarchy,
  homeContent,
  listContent,
  liveEvents,
} from '@ondine/contract/catalogue'
import type { Context } from '../../../context.ts'
import { invalidFields } from '../../../http/errors.ts'
import type { Call, On } from '../../../http/operations.ts'
import type { Reader } from './catalogue.presenter.ts'
import * as catalogue from './catalogue.service.ts'
import { homeFor } from './home-of-children.ts'

/** Content types, each with the corresponding kind of asset. */
const KINDS = [
  ['movie', 'film'],
  ['episode', 'episode'],
] as const satisfies [ContentType, string][]

/** All viewers who are not signed in get the same answer, so a proxy may cache it for a moment. */
const SHARED = { sharedAmongVisitors: true }

export function registerCatalogue(on: On, { viewers, configurations, catalogue: parts }: Context): void {
  const readerOf = async (call: Call): Promise<Reader> => ({
    viewer: await viewers.of(call, call.now),
    language: call.language,
    now: call.now,
  })

  on(hierarchy, async (_input, call) => await catalogue.hierarchy(parts, await readerOf(call)))

  on(homeContent, async ({ type, shuffle = 0 }, call) => {
    const reader = await readerOf(call)
    const wanted = type ?? (call.account ? 'connected' : 'disconnected')
    const configuration = configurations.of(call.storefront.id)
    return await catalogue.home(
      parts,
      { type: homeFor(reader.viewer, wanted), configuration, shuffle },
      reader,
    )
  })

  on(listContent, async ({ id, includeRoot = false, sort, shuffle = 0, offset = 0, limit }, call) => {
    const { categorySort } = configurations.of(call.storefront.id).catalogue
    const wish = { id, includeRoot, sort: sort ?? categorySort, shuffle, offset, limit }
    return await catalogue.listContent(parts, wish, await readerOf(call))
  })

  on(
    contentData,
    async (wanted, call) => await catalogue.contentData(parts, wanted, await readerOf(call)),
    SHARED,
  )

  on(
    assets,
    async ({ assetIds }, call) => await catalogue.assetsByIds(parts, assetIds, await readerOf(call)),
    SHARED,
  )

  on(liveEvents, async (_input, call) => await catalogue.liveEvents(parts, await readerOf(call)))

  on(
    activeAssets,
    async ({ allAssets = 0, contentTypeFilter, watchingMin, watchingMax, commercialModel }, call) => {
      if (watchingMin > watchingMax)
        throw invalidFields([{ field: 'watchingMin', message: 'must not be above watchingMax' }])
      const reader = await readerOf(call)
      const types = contentTypeFilter?.split(',') ?? CONTENT_TYPES
      const kinds = new Set(KINDS.flatMap(([type, kind]) => (types.includes(type) ? [kind] : [])))
      if (commercialModel === 'TVOD')
        return await catalogue.rentedAssets(parts, { kinds, withPast: allAssets !== 0 }, reader)
      const bounds = allAssets === 0 ? { min: watchingMin, max: watchingMax } : { min: 0, max: 100 }
      return await catalogue.activeAssets(parts, { ...bounds, kinds, withRemoved: allAssets !== 0 }, reader)
    },
  )
}
