import { createFileRoute } from '@tanstack/react-router'

/** Matches all other paths, to which the home page links. */
export const Route = createFileRoute('/$')({ component: () => null })
