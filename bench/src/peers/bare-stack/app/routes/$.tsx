import { createFileRoute } from '@tanstack/react-router'

/** Catches all other links. */
export const Route = createFileRoute('/$')({ component: () => null })
