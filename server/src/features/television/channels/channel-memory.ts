import { isDeepStrictEqual } from 'node:util'
import type { Channel } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { type OwnItem, OwnLists } from '../../../http/own-lists.ts'
import type { PreparedAnswer } from '../../../http/prepared-answer.ts'
import { PreparedList } from '../../../http/prepared-list.ts'
import type { ChannelItem, ChannelsOnAir } from '../../content/catalogue/channels-on-air.ts'
import type { Kept } from '../../content/catalogue/profile-state.ts'
import { audienceOf, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { listChannels, nowOn } from './channels.service.ts'

/** Cached channels, as one audience sees them in one language. */
interface Shown {
  channels: Promise<ShownChannels>
  /**
   * JSON of favourite and of separately bought channels. The key consists of the channel's id and these two
   * properties.
   */
  own: Map<string, Buffer>
  current: Current | undefined
  /** The channels with their programmes, as last read. The object stays the same while a new read finds no change. */
  last: ChannelItem[] | undefined
}

interface ShownChannels {
  list: PreparedList<Channel>
  /** Index of each channel in the list, by channel id. */
  places: ReadonlyMap<number, number>
}

/** A read of the programmes on air. `from` is the time of the read, in milliseconds since the Unix epoch. */
interface Current {
  from: number
  found: Promise<Found>
}

/** Channels with their programmes on air. Valid before `until`, in milliseconds since the Unix epoch. */
interface Found {
  items: ChannelItem[]
  until: number
}

/** Maximum number of cached audiences, each in one language. */
const MOST_AUDIENCES = 200
/** How long the absence of a programme on a channel is cached, in milliseconds. */
const GAP_MS = 5000

/**
 * Marks a channel as included if the viewer has bought it separately. Such a channel can be watched, but not recorded:
 * its right ends after some hours, and recordings outlast it.
 */
function ownChannel(channel: Channel, { owned }: Viewer): Channel {
  if (channel.isIncludedInUserOffers || !owned.channels.has(channel.idChannel)) return channel
  return { ...channel, isIncludedInUserOffers: true, item: { ...channel.item, allowRecording: false } }
}

/**
 * Returns the JSON of a favourite or separately bought channel. Viewers for whom these properties are equal share
 * a buffer.
 */
function ownJson({ own }: Shown, channel: Channel): Buffer {
  const key = `${channel.idChannel} ${channel.isFavorite} ${channel.isIncludedInUserOffers}`
  const known = own.get(key)
  if (known) return known
  const json = Buffer.from(JSON.stringify(channel))
  own.set(key, json)
  return json
}

/**
 * Cache of channels with their current programmes. A cached value is valid until a channel or the guide changes,
 * or a programme ends.
 */
export class ChannelMemory implements ChannelsOnAir {
  readonly #db: Database
  readonly #shown = new LRUCache<string, Shown>({ max: MOST_AUDIENCES })
  readonly #ownLists = new OwnLists<Channel>()

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => this.#shown.clear()
    changes.on('channels', forget)
    changes.on('guide', () => {
      for (const shown of this.#shown.values()) shown.current = undefined
    })
    // A change of the catalogue can change the titles and pictures of programmes.
    changes.on('catalogue', forget)
  }

  /** Returns the response of `listChannels` (V7-09), with the viewer's favourites marked (V3-21). */
  async answer(viewer: Viewer, language: Language, kept: Kept): Promise<PreparedAnswer> {
    const shown = this.#of(viewer, language)
    const { list, places } = await shown.channels
    const favourites = new Set(kept.channelIds)
    const items: OwnItem[] = []
    for (const id of new Set([...favourites, ...viewer.owned.channels.keys()])) {
      const at = places.get(id)
      const channel = at === undefined ? undefined : list.entries[at]
      if (at === undefined || !channel) continue
      items.push([at, ownJson(shown, { ...ownChannel(channel, viewer), isFavorite: favourites.has(id) })])
    }
    if (items.length === 0) return list.answer
    items.sort(([one], [other]) => one - other)
    return this.#ownLists.answer(favourites.size > 0 ? kept : viewer.owned, list, items)
  }

  async items(viewer: Viewer, language: Language, now: number): Promise<readonly ChannelItem[]> {
    const items = await this.#items(viewer, language, now)
    if (viewer.owned.channels.size === 0) return items
    return items.map((item) => ({ ...item, payload: ownChannel(item.payload, viewer) }))
  }

  async #items(viewer: Viewer, language: Language, now: number): Promise<readonly ChannelItem[]> {
    const shown = this.#of(viewer, language)
    const known = shown.current
    if (known && known.from <= now) {
      // Concurrent callers await the same read, however long it takes.
      const { items, until } = await known.found
      if (now < until) return items
      // Another caller may have started a newer read in the meantime.
      if (shown.current !== known) return await this.#items(viewer, language, now)
    }
    const current: Current = { from: now, found: this.#find(shown, viewer, language, now) }
    shown.current = current
    try {
      return (await current.found).items
    } catch (error) {
      if (shown.current === current) shown.current = undefined
      throw error
    }
  }

  async #find(shown: Shown, viewer: Viewer, language: Language, now: number): Promise<Found> {
    const [{ list }, programmes] = await Promise.all([shown.channels, nowOn(this.#db, viewer, language, now)])
    const items = list.entries.map((payload) => ({
      type: 'channel' as const,
      payload,
      programme: programmes.get(payload.idChannel) ?? null,
    }))
    if (!isDeepStrictEqual(shown.last, items)) shown.last = items
    const ends = items.map(({ programme }) => (programme ? programme.endutc * 1000 : now + GAP_MS))
    return { items: shown.last ?? items, until: Math.min(...ends) }
  }

  #of(viewer: Viewer, language: Language): Shown {
    const key = `${language} ${audienceOf(viewer)}`
    const known = this.#shown.get(key)
    if (known) return known
    const shown: Shown = {
      channels: this.#list(viewer, language),
      own: new Map(),
      current: undefined,
      last: undefined,
    }
    shown.channels.catch(() => {
      if (this.#shown.get(key) === shown) this.#shown.delete(key)
    })
    this.#shown.set(key, shown)
    return shown
  }

  async #list(viewer: Viewer, language: Language): Promise<ShownChannels> {
    const channels = await listChannels(this.#db, viewer, language)
    return {
      list: new PreparedList(channels, (channel) => JSON.stringify(channel)),
      places: new Map(channels.map(({ idChannel }, at) => [idChannel, at])),
    }
  }
}
