import type { ProgrammePart } from '@ondine/contract/channels'

/** Removes repeated titles of a long block. The remaining titles are in the order in which they first play. */
export function titlesOnce(parts: readonly ProgrammePart[]): ProgrammePart[] {
  return [...new Map(parts.toReversed().map((part) => [part.idAsset, part])).values()].toSorted(
    (one, other) => one.start - other.start,
  )
}
