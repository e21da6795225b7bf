import { LRUCache } from 'lru-cache'
import type { XmltvChannel } from './xmltv-reader.ts'

/** A channel with the names and ids by which guides may refer to it. */
export interface GuideChannel {
  id: number
  number: number
  names: string[]
  guideId: string | null
  isLibrary: boolean
  /** Offset that is added to the times in the guide, in milliseconds. */
  shiftMs: number
}

/**
 * Finds the channels of the service for a channel of a guide. Several variants of a channel may share its
 * programmes.
 */
export interface ChannelMap {
  /** Records a channel that the file declares, with its names. */
  declare(channel: XmltvChannel): void
  find(xmltvId: string): readonly GuideChannel[]
  /** Returns whether a name of the channel leads to a channel whose guide is another channel of the file. */
  isNamesake(xmltvId: string): boolean
}

/** Maximum number of channel ids of a file in memory. Real guides have fewer. */
const REMEMBERED = 100_000

/**
 * Finds the channels for a channel id of a guide. First uses the mapping (to a guide id, a name or a number), then the
 * guide id, then a declared name that exactly one channel has. A name does not match a channel if the file declares
 * another id that matches this channel by mapping or guide id. If several ids in the file have the same name, the first
 * id with a programme gets the channel.
 */
export function mapChannels(
  all: readonly GuideChannel[],
  mapping: Readonly<Record<string, string>>,
): ChannelMap {
  const byGuideId = grouped(all, ({ guideId }) => (guideId === null ? [] : [plain(guideId)]))
  const byName = grouped(all, ({ names }) => [...new Set(names.map(plain))])
  const byNumber = grouped(all, ({ number }) => [String(number)])
  const mapped = new Map(Object.entries(mapping))
  // The option `max` would allocate all entries at once, so `maxSize` is used.
  const known = new LRUCache<string, readonly GuideChannel[]>({
    maxSize: REMEMBERED,
    sizeCalculation: () => 1,
  })
  /** Channels that were found by the names that the file declares. Keyed by the channel id in the file. */
  const named = new Map<string, readonly GuideChannel[]>()
  /** Channel of the file that is the guide of a channel. Keyed by the id of the latter. */
  const guideOf = new Map<number, string>()
  const alone = (found: readonly GuideChannel[] | undefined) => (found?.length === 1 ? found : undefined)
  const lookExactly = (xmltvId: string): readonly GuideChannel[] | undefined => {
    const wanted = mapped.get(xmltvId)
    if (wanted === undefined) return byGuideId.get(plain(xmltvId))
    return (
      byGuideId.get(plain(wanted)) ?? alone(byName.get(plain(wanted))) ?? byNumber.get(wanted.trim()) ?? []
    )
  }
  const lookByName = (xmltvId: string): readonly GuideChannel[] => {
    const found = (named.get(xmltvId) ?? []).filter(
      ({ id, isLibrary }) => isLibrary || (guideOf.get(id) ?? xmltvId) === xmltvId,
    )
    for (const { id } of found) guideOf.set(id, xmltvId)
    return found
  }
  return {
    declare: ({ id, names }) => {
      const found = names.map((name) => alone(byName.get(plain(name)))).find((each) => each !== undefined)
      if (!found) named.delete(id)
      else if (named.size < REMEMBERED) named.set(id, found)
      for (const channel of lookExactly(id) ?? []) guideOf.set(channel.id, id)
      known.delete(id)
    },
    find: (xmltvId) => {
      let found = known.get(xmltvId)
      if (found) return found
      found = lookExactly(xmltvId) ?? lookByName(xmltvId)
      known.set(xmltvId, found)
      return found
    },
    isNamesake: (xmltvId) => named.has(xmltvId) && !mapped.has(xmltvId),
  }
}

function grouped(
  all: readonly GuideChannel[],
  keysOf: (channel: GuideChannel) => readonly string[],
): Map<string, GuideChannel[]> {
  const groups = new Map<string, GuideChannel[]>()
  for (const channel of all)
    for (const key of keysOf(channel)) {
      const group = groups.get(key)
      if (group) group.push(channel)
      else groups.set(key, [channel])
    }
  return groups
}

/** Normalises a name for comparison: lower case, without accents, with single spaces. */
function plain(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
