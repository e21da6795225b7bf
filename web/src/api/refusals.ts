import type { ApiError } from './api-error.ts'

type Reaction = (error: ApiError) => void

const REACTIONS = new Map<number, Set<Reaction>>()

/**
 * Does something whenever the service refuses a call with a code, whichever call it is (A8.3). Whoever made the call
 * hears of it as well. Returns how to end that. Only in the browser.
 *
 * @param code the wire's, negative
 */
export function onRefusal(code: number, react: Reaction): () => void {
  const reactions = REACTIONS.get(code) ?? new Set()
  REACTIONS.set(code, reactions.add(react))
  return () => reactions.delete(react)
}

/** Tells those who react to its code of a refused call. */
export function tellRefusal(error: ApiError): void {
  for (const react of REACTIONS.get(error.code) ?? []) react(error)
}
