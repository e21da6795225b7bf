import { createFileRoute, redirect } from '@tanstack/react-router'
import { isChildWatching } from '../features/ground/session/session.ts'

export const Route = createFileRoute('/_shell/library')({
  // The rentals are not for a child's profile (spec 46).
  beforeLoad: ({ context: { queryClient } }) => {
    throw redirect({ to: isChildWatching(queryClient) ? '/library/completed-records' : '/library/rentals' })
  },
})
