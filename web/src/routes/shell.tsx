import { createFileRoute, Outlet } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { hierarchyQuery } from '../features/catalogue/queries.ts'
import { Shell } from '../shell/shell.tsx'

export const Route = createFileRoute('/_shell')({
  // Without the catalogue's tree there is no page to show (V8-01).
  loader: async ({ context }) => {
    await load(context.queryClient.ensureQueryData(hierarchyQuery))
  },
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})
