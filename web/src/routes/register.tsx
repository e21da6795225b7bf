import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/register')({
  beforeLoad: () => {
    throw redirect({ to: '/register/informations' })
  },
})
