import { createFileRoute, Outlet } from '@tanstack/react-router'
import { hierarchyQuery } from '../features/catalogue/queries.ts'
import { Shell } from '../shell/shell.tsx'

export const Route = createFileRoute('/_shell')({
  // The menu comes with the page; a page never fails for its menu (decision 10).
  loader: ({ context }) => context.queryClient.prefetchQuery(hierarchyQuery),
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})
