import { LRUCache } from 'lru-cache'
import type { XmltvChannel } from './xmltv-reader.ts'

/** Names and ids of a channel by which guides may refer to it. */
export interface GuideChannel {
  id: number
  number: number
  names: string[]
  guideId: string | null
  isLibrary: boolean
  /** How much later the channel's programmes begin than the guide says, in milliseconds. */
  shiftMs: number
}

/**
 * Finds the channels of the service that a channel of a guide describes. There are several if variants of a channel
 * share its programmes.
 */
export interface ChannelMap {
  /** Records a channel that the file declares. */
  declare(channel: XmltvChannel): void
  find(xmltvId: string): readonly GuideChannel[]
}

/** Maximum number of ids that are remembered of a file. No real guide has as many. */
const REMEMBERED = 100_000

/**
 * Finds the channels for a channel id of a guide: first by the mapping (to a channel's guide id, name or number),
 * then by the guide id, then by a declared name that exactly one channel has.
 */
export function mapChannels(
  all: readonly GuideChannel[],
  mapping: Readonly<Record<string, string>>,
): ChannelMap {
  const byGuideId = grouped(all, ({ guideId }) => (guideId === null ? [] : [plain(guideId)]))
  const byName = grouped(all, ({ names }) => [...new Set(names.map(plain))])
  const byNumber = grouped(all, ({ number }) => [String(number)])
  const mapped = new Map(Object.entries(mapping))
  // `maxSize` instead of `max`, because with `max` the cache would allocate all its entries at once.
  const known = new LRUCache<string, readonly GuideChannel[]>({
    maxSize: REMEMBERED,
    sizeCalculation: () => 1,
  })
  /** Channels by the channel id of the guide, found by the names that the file declares. */
  const named = new Map<string, readonly GuideChannel[]>()
  const alone = (found: readonly GuideChannel[] | undefined) => (found?.length === 1 ? found : undefined)
  const look = (xmltvId: string): readonly GuideChannel[] => {
    const wanted = mapped.get(xmltvId)
    if (wanted !== undefined)
      return (
        byGuideId.get(plain(wanted)) ?? alone(byName.get(plain(wanted))) ?? byNumber.get(wanted.trim()) ?? []
      )
    return byGuideId.get(plain(xmltvId)) ?? named.get(xmltvId) ?? []
  }
  return {
    declare: ({ id, names }) => {
      const found = names.map((name) => alone(byName.get(plain(name)))).find((each) => each !== undefined)
      if (!found) named.delete(id)
      else if (named.size < REMEMBERED) named.set(id, found)
      known.delete(id)
    },
    find: (xmltvId) => {
      let found = known.get(xmltvId)
      if (found) return found
      found = look(xmltvId)
      known.set(xmltvId, found)
      return found
    },
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
