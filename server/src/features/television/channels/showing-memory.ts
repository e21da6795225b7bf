import type { Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { audienceOf, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import {
  listShowings,
  type NextShowing,
  type NextShowings,
  nextShowings,
  type Showings,
  type SoughtTitles,
} from './showings.service.ts'

/**
 * The cached showings of a title. Valid from `from` until before `until`, in milliseconds since the Unix epoch.
 */
interface Kept<Value> {
  /** Undefined if the title has no current or later showing. */
  value: Value | undefined
  from: number
  until: number
}

/** Showings by title. Titles without a current or later showing have no entry. */
interface ByTitle<Value> {
  assets: Map<number, Value>
  series: Map<number, Value>
  programmes: Map<string, Value>
}

/**
 * Maximum number of cached titles of all audiences. The option `max` would allocate all entries at once, so
 * `maxSize` is used.
 */
const LIMIT = { maxSize: 200_000, sizeCalculation: () => 1 }

/**
 * Cache of the showings of titles. The cached showings of a title are valid until one of them ends or the guide
 * changes.
 */
export class ShowingMemory {
  readonly #db: Database
  /**
   * Keyed by audience, and by kind and id of the title. The keys of `next` and `list` have different formats, so
   * that their values are never mixed.
   */
  readonly #kept = new LRUCache<string, Kept<unknown>>(LIMIT)
  /** Number of changes so far. If it rises during a read, the result of the read is not cached. */
  #edition = 0

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => {
      this.#edition += 1
      this.#kept.clear()
    }
    changes.on('guide', forget)
    changes.on('channels', forget)
    // A change of the catalogue can change the titles of programmes, and the series of an episode.
    changes.on('catalogue', forget)
  }

  /** Returns the same as {@link nextShowings}, from the cache if possible. */
  async next(shown: SoughtTitles, viewer: Viewer, now: number): Promise<NextShowings> {
    return await this.#complete<NextShowing>(
      `next ${viewer.kid} ${viewer.maximumMoralityLevel}`,
      shown,
      now,
      async (missing) => await nextShowings(this.#db, missing, viewer, now),
      ({ endsAt }) => endsAt,
    )
  }

  /** Returns the same as {@link listShowings}, from the cache if possible. */
  async list(
    shown: SoughtTitles,
    viewer: Viewer,
    language: Language,
    now: number,
    limit: number,
  ): Promise<Showings> {
    return await this.#complete<Programme[]>(
      `${limit} ${language} ${audienceOf(viewer)}`,
      shown,
      now,
      async (missing) => await listShowings(this.#db, missing, viewer, language, now, limit),
      (programmes) => Math.min(...programmes.map(({ endutc }) => endutc * 1000)),
    )
  }

  /** Returns the cached showings of these titles. Reads and caches the missing ones. */
  async #complete<Value>(
    audience: string,
    shown: SoughtTitles,
    now: number,
    read: (missing: SoughtTitles) => Promise<ByTitle<Value>>,
    untilOf: (value: Value) => number,
  ): Promise<ByTitle<Value>> {
    const found: ByTitle<Value> = { assets: new Map(), series: new Map(), programmes: new Map() }
    const take = <Id extends string | number>(ids: readonly Id[], kind: string, into: Map<Id, Value>): Id[] =>
      ids.filter((id) => {
        const kept = this.#kept.get(`${audience} ${kind} ${id}`) as Kept<Value> | undefined
        if (!kept || now < kept.from || now >= kept.until) return true
        if (kept.value !== undefined) into.set(id, kept.value)
        return false
      })
    const missing = {
      assetIds: take(shown.assetIds, 'asset', found.assets),
      serieIds: take(shown.serieIds, 'series', found.series),
      programmeKeys: take(shown.programmeKeys, 'programme', found.programmes),
    }
    if (missing.assetIds.length + missing.serieIds.length + missing.programmeKeys.length === 0) return found
    const edition = this.#edition
    const lately = await read(missing)
    const keep = <Id extends string | number>(
      ids: readonly Id[],
      kind: string,
      from: ReadonlyMap<Id, Value>,
      into: Map<Id, Value>,
    ) => {
      for (const id of ids) {
        const value = from.get(id)
        if (value !== undefined) into.set(id, value)
        if (edition !== this.#edition) continue
        this.#kept.set(`${audience} ${kind} ${id}`, {
          value,
          from: now,
          until: value === undefined ? Number.POSITIVE_INFINITY : untilOf(value),
        })
      }
    }
    keep(missing.assetIds, 'asset', lately.assets, found.assets)
    keep(missing.serieIds, 'series', lately.series, found.series)
    keep(missing.programmeKeys, 'programme', lately.programmes, found.programmes)
    return found
  }
}
