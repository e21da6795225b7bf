import type { ProgrammePart } from '@ondine/contract/channels'

/**
 * Returns the titles of a block, each title once, in the order of their first play. A long block can repeat titles.
 */
export function titlesOnce(parts: readonly ProgrammePart[]): ProgrammePart[] {
  return [...new Map(parts.toReversed().map((part) => [part.idAsset, part])).values()].toSorted(
    (one, other) => one.start - other.start,
  )
}
