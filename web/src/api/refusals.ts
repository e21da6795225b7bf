import type { ApiError } from './api-error.ts'

type Reaction = (error: ApiError) => void

const REACTIONS = new Map<number, Set<Reaction>>()

/**
 * Calls `react` whenever the service refuses any call with `code` (A8.3). The caller of the operation also gets
 * the error. Works only in the browser.
 *
 * @param code negative error code of the service
 * @returns a function that removes `react`
 */
export function onRefusal(code: number, react: Reaction): () => void {
  const reactions = REACTIONS.get(code) ?? new Set()
  REACTIONS.set(code, reactions.add(react))
  return () => reactions.delete(react)
}

/** Passes a refused call to the listeners of its code. */
export function tellRefusal(error: ApiError): void {
  for (const react of REACTIONS.get(error.code) ?? []) react(error)
}
