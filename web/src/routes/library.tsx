import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/library')({
  beforeLoad: () => {
    throw redirect({ to: '/library/rentals' })
  },
})
