import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Shell } from '../shell/shell.tsx'
import { startShell } from '../shell/start-order.ts'

export const Route = createFileRoute('/_shell')({
  loader: async ({ context: { queryClient } }) => await startShell(queryClient),
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
})
