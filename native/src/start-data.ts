import { hierarchyQuery } from '@ondine/web/features/content/catalogue/queries'
import { menusQuery } from '@ondine/web/features/ground/menus/menus-query'
import type { QueryClient } from '@tanstack/react-query'

/**
 * Fetches the catalogue's tree whenever new menus have come, as after a sign-in or a change of the profile. Pages fetch
 * the tree only at their start, but without a connection the next start needs it in the cache, for the new viewer.
 */
export function keepTree(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    const areMenus = event.query.queryKey[0] === menusQuery.queryKey[0]
    if (areMenus && event.type === 'updated' && event.action.type === 'success')
      void queries.prefetchQuery(hierarchyQuery)
  })
}
