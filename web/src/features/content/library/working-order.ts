import type { ImportItem } from '@ondine/contract/library'

/**
 * Sorts the items of an import: first items in preparation, then waiting items in their order, then failed and
 * cancelled items, and last the items that are ready.
 */
export function inWorkingOrder<T extends Pick<ImportItem, 'state'>>(items: readonly T[]): T[] {
  const place = (item: T) => (isUnderWay(item) ? 0 : (PLACES[item.state] ?? 1))
  return items.toSorted((one, other) => place(one) - place(other))
}

const PLACES: Partial<Record<ImportItem['state'], number>> = { failed: 2, cancelled: 2, ready: 3 }

/** Returns whether an item is in preparation now. */
export function isUnderWay({ state }: Pick<ImportItem, 'state'>): boolean {
  return (
    state === 'making' ||
    state === 'probing' ||
    state === 'encoding' ||
    state === 'packaging' ||
    state === 'publishing'
  )
}
