import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/auth/login')({
  validateSearch: ({ back }): { back?: string } => (typeof back === 'string' ? { back } : {}),
  component: () => null,
})
