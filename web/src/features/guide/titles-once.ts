import type { ProgrammePart } from '@ondine/contract/channels'

/** Titles come again in a long block: each is named once, in the order in which they first play. */
export function titlesOnce(parts: readonly ProgrammePart[]): ProgrammePart[] {
  return [...new Map(parts.toReversed().map((part) => [part.idAsset, part])).values()].toSorted(
    (one, other) => one.start - other.start,
  )
}
