import { idOfSlug } from '@ondine/contract/slugs'
import { notFound } from '@tanstack/react-router'

/** The largest identifier that the service has. */
const MAX_ID = 2_147_483_647

/** The identifier that an address ends with. An address without one leads nowhere: the page is a 404. */
export function idInSlug(slug: string): number {
  const id = idOfSlug(slug)
  if (id === undefined || id > MAX_ID) throw notFound()
  return id
}
