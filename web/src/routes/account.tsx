import { createFileRoute, redirect } from '@tanstack/react-router'
import { isChildWatching } from '../features/ground/session/session.ts'

export const Route = createFileRoute('/_shell/account')({
  // The devices are not for a child's profile (spec 46).
  beforeLoad: ({ context: { queryClient } }) => {
    throw redirect({ to: isChildWatching(queryClient) ? '/account/favorites' : '/account/devices' })
  },
})
