import type { ImportItem } from '@ondine/contract/imports'

/** Items that are being prepared first, then those that wait, in their turn, then failed and cancelled ones, and ready ones last. */
export function inWorkingOrder<T extends Pick<ImportItem, 'state'>>(items: readonly T[]): T[] {
  const place = (item: T) => (isUnderWay(item) ? 0 : (PLACES[item.state] ?? 1))
  return items.toSorted((one, other) => place(one) - place(other))
}

const PLACES: Partial<Record<ImportItem['state'], number>> = { failed: 2, cancelled: 2, ready: 3 }

/** Whether an item is being prepared at this moment. */
export function isUnderWay({ state }: Pick<ImportItem, 'state'>): boolean {
  return (
    state === 'making' ||
    state === 'probing' ||
    state === 'encoding' ||
    state === 'packaging' ||
    state === 'publishing'
  )
}
