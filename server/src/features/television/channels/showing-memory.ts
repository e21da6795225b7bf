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

/** The cached value of a title, with its period of validity. Milliseconds since the Unix epoch. */
interface Kept<Value> {
  /** Undefined if the title is not shown any more. */
  value: Value | undefined
  from: number
  until: number
}

/** Values of the requested titles. Titles that are not shown any more have no entry. */
interface ByTitle<Value> {
  assets: Map<number, Value>
  series: Map<number, Value>
  programmes: Map<string, Value>
}

/**
 * Maximum number of cached titles of all audiences. `maxSize` instead of `max`, because with `max` the cache
 * would allocate all its entries at once.
 */
const LIMIT = { maxSize: 200_000, sizeCalculation: () => 1 }

/**
 * Cache of the showings of titles. The value of a title is valid until one of its showings ends or the guide
 * changes.
 */
export class ShowingMemory {
  readonly #db: Database
  /**
   * Keyed by audience, kind and id of the title. `next` and `list` write the audience differently, so that their
   * values are never mixed.
   */
  readonly #kept = new LRUCache<string, Kept<unknown>>(LIMIT)
  /** Number of changes so far. Results that were read while a change arrived are not cached. */
  #edition = 0

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => {
      this.#edition += 1
      this.#kept.clear()
    }
    changes.on('guide', forget)
    changes.on('channels', forget)
    // A change of the catalogue can change the titles to which programmes refer, and the series of an episode.
    changes.on('catalogue', forget)
  }

  /** Cached version of {@link nextShowings}. */
  async next(shown: SoughtTitles, viewer: Viewer, now: number): Promise<NextShowings> {
    return await this.#complete<NextShowing>(
      `next ${viewer.kid} ${viewer.maximumMoralityLevel}`,
      shown,
      now,
      async (missing) => await nextShowings(this.#db, missing, viewer, now),
      ({ endsAt }) => endsAt,
    )
  }

  /** Cached version of {@link listShowings}. */
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

  /** Returns the cached values of these titles, and reads the missing ones. */
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
