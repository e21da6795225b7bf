import type { Rail } from '@ondine/contract/catalogue'
import { itemKey } from '../../content/catalogue/item-card.tsx'

/**
 * A rail with at most this many titles shows wide pictures, which fill its line. Posters would leave half of the
 * line empty.
 */
const FEW = 2

/** Kinds of rails that keep the order of their titles, because the order has a meaning. */
const AS_GIVEN: ReadonlySet<Rail['kind']> = new Set(['continue', 'list'])

/**
 * Returns the rails of a child's home as the page shows them. Reorders titles so that the rails begin with
 * different titles, if possible.
 */
export function railsForChild(rails: readonly Rail[]): Rail[] {
  const leading = new Set<string>()
  return rails.map((rail) => {
    const lead = rail.items.find((item) => !leading.has(itemKey(item))) ?? rail.items[0]
    if (lead !== undefined) leading.add(itemKey(lead))
    if (AS_GIVEN.has(rail.kind)) return rail
    return {
      ...rail,
      layout: rail.layout === 'Poster' && rail.items.length <= FEW ? 'Cover' : rail.layout,
      items: rail.items.toSorted((one, other) => Number(other === lead) - Number(one === lead)),
    }
  })
}
