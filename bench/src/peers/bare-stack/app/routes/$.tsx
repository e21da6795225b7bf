import { createFileRoute } from '@tanstack/react-router'

/** All else that links lead to. */
export const Route = createFileRoute('/$')({ component: () => null })
