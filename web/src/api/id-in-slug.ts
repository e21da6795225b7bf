import { idOfSlug } from '@ondine/contract/slugs'
import { notFound } from '@tanstack/react-router'

/** The largest identifier of the service. */
const MAX_ID = 2_147_483_647

/**
 * Returns the identifier at the end of a slug. Throws `notFound` for a slug without a valid identifier, so that
 * the page becomes a 404.
 */
export function idInSlug(slug: string): number {
  const id = idOfSlug(slug)
  if (id === undefined || id > MAX_ID) throw notFound()
  return id
}
