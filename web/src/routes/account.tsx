import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/account')({
  beforeLoad: () => {
    throw redirect({ to: '/account/devices' })
  },
})
