import { contentData, hierarchy, homeContent, listContent } from '@ondine/contract/catalogue'
import type { Category } from '@ondine/contract/entities'
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

/** The category of an id, wherever it stands in the tree. */
export function categoryInTree(tree: readonly Category[], id: number): Category | undefined {
  for (const category of tree) {
    const found = category.idCatalog === id ? category : categoryInTree(category.categories, id)
    if (found !== undefined) return found
  }
  return undefined
}
