import { contentData, hierarchy, homeContent, listContent } from '@ondine/contract/catalogue'
import { query } from '../../api/query.ts'

/** The tree of categories, fetched once (V4). */
export const hierarchyQuery = query(hierarchy, {})

/** The rails of home, for a visitor or for who is signed in (V3, home items by type). */
export function homeQuery(signedIn: boolean) {
  return query(homeContent, { type: signedIn ? 'connected' : 'disconnected' })
}

/** What stands in a category. */
export function categoryQuery(id: number) {
  return query(listContent, { id })
}

/** An asset with all that its page shows. */
export function assetQuery(idAsset: number) {
  return query(contentData, { idAsset })
}

/** A series or another category with all that its page shows. */
export function seriesQuery(idCategory: number) {
  return query(contentData, { idCategory })
}
