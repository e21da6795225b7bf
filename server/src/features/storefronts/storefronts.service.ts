import type { Database } from '../../database/connection.ts'
import type { Storefront } from '../../http/operations.ts'
import { storefronts } from './storefronts.table.ts'

/** Api key of the storefront that a new installation has. */
export const FIRST_STOREFRONT = { demonstration: 'demo', ordinary: 'ondine' }

/** The storefronts of the installation, kept in memory: every call asks for one. */
export interface Storefronts {
  /** By api key; without one the installation's first storefront. */
  of(apiKey: string | undefined): Storefront | undefined
  first(): Storefront
}

/** Loads the storefronts, and makes the one that a new installation begins with. */
export async function loadStorefronts(db: Database, demonstration: boolean): Promise<Storefronts> {
  const apiKey = demonstration ? FIRST_STOREFRONT.demonstration : FIRST_STOREFRONT.ordinary
  const rows = await db.select().from(storefronts).orderBy(storefronts.id)
  const known = rows.some((row) => row.apiKey === apiKey)
  const all =
    rows.length > 0 && (known || !demonstration)
      ? rows
      : [
          ...rows,
          ...(await db.insert(storefronts).values({ apiKey, name: 'Ondine', demonstration }).returning()),
        ]
  const byKey = new Map(all.map((row) => [row.apiKey, row]))
  const first = all[0]
  if (!first) throw new Error('There is no storefront.')
  return { of: (key) => (key === undefined ? first : byKey.get(key)), first: () => first }
}
