import { createFileRoute, Outlet } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { hierarchyQuery } from '../features/catalogue/queries.ts'
import { menusQuery } from '../features/publication/publication-query.ts'
import { Shell } from '../shell/shell.tsx'

export const Route = createFileRoute('/_shell')({
  // Without the catalogue's tree there is no page to show (V8-01); without menus there is (decision 10).
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      load(queryClient.ensureQueryData(hierarchyQuery)),
      queryClient.prefetchQuery(menusQuery),
    ])
  },
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})
