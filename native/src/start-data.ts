import { hierarchyQuery } from '@ondine/web/features/content/catalogue/queries'
import { menusQuery } from '@ondine/web/features/ground/menus/menus-query'
import type { QueryClient } from '@tanstack/react-query'

/**
 * Fetches the catalogue's tree whenever the menus have changed, such as after a sign-in or a change of profile.
 * Pages fetch the tree only at a start. A later start without a connection needs the new viewer's tree in the
 * cache.
 */
export function keepTree(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    const areMenus = event.query.queryKey[0] === menusQuery.queryKey[0]
    if (areMenus && event.type === 'updated' && event.action.type === 'success')
      void queries.prefetchQuery(hierarchyQuery)
  })
}
