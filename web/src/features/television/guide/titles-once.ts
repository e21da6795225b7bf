import type { ProgrammePart } from '@ondine/contract/channels'

/**
 * Returns each title of a long block once, although a block may repeat them. The titles are in the order in which they
 * are first played.
 */
export function titlesOnce(parts: readonly ProgrammePart[]): ProgrammePart[] {
  return [...new Map(parts.toReversed().map((part) => [part.idAsset, part])).values()].toSorted(
    (one, other) => one.start - other.start,
  )
}
