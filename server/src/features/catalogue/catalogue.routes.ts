import {
  activeAssets,
  assets,
  contentData,
  hierarchy,
  homeContent,
  listContent,
} from '@ondine/contract/catalogue'
import type { Call, On } from '../../http/operations.ts'
import { viewerOf } from '../entitlements/entitlements.service.ts'
import type { Reader } from './catalogue.presenter.ts'
import * as catalogue from './catalogue.service.ts'

/** Answers to visitors are all alike, so they may be shared for a moment. */
const SHARED = { sharedAmongVisitors: true }

export function registerCatalogue(on: On): void {
  on(hierarchy, async (_input, call) => await catalogue.hierarchy(call.db, await readerOf(call)), SHARED)
  on(homeContent, async (_input, call) => await catalogue.home(call.db, await readerOf(call)), SHARED)
  on(
    listContent,
    async ({ id, includeRoot }, call) =>
      await catalogue.listContent(call.db, id, includeRoot ?? false, await readerOf(call)),
    SHARED,
  )
  on(
    contentData,
    async (wanted, call) => await catalogue.contentData(call.db, wanted, await readerOf(call)),
    SHARED,
  )
  on(
    assets,
    async ({ assetIds }, call) => await catalogue.assetsByIds(call.db, assetIds, await readerOf(call)),
    SHARED,
  )
  on(
    activeAssets,
    async ({ watchingMin, watchingMax }, call) =>
      await catalogue.activeAssets(call.db, await readerOf(call), { min: watchingMin, max: watchingMax }),
  )
}

async function readerOf({ db, account, profile, language, now }: Call): Promise<Reader> {
  return { viewer: await viewerOf(db, { account, profile }, now), language, now }
}
