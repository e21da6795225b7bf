import type { Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { audienceOf, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import {
  listShowings,
  type NextShowing,
  type NextShowings,
  nextShowings,
  type Showings,
  type Shown,
} from './showings.service.ts'

/** Cached value of one title, with its period of validity. Milliseconds since the Unix epoch. */
interface Kept<Value> {
  /** Undefined if it is not shown any more. */
  value: Value | undefined
  from: number
  until: number
}

/** Values of the requested titles that are shown. */
interface ByTitle<Value> {
  assets: Map<number, Value>
  series: Map<number, Value>
  programmes: Map<string, Value>
}

type Titles<Value> = { [Kind in keyof ByTitle<Value>]: Map<string | number, Kept<Value>> }

/** Most cached titles of all audiences. */
const MOST_TITLES = 200_000

/** Cache of the showings of titles. Each title is valid until one of its showings ends or the guide changes. */
export class ShowingMemory {
  readonly #db: Database
  readonly #kept = new Map<string, Titles<unknown>>()
  #size = 0
  /** Counts changes: results that were read across a change are not cached. */
  #edition = 0

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => {
      this.#edition += 1
      this.#forget()
    }
    changes.on('guide', forget)
    changes.on('channels', forget)
    // Episodes belong to series, and programmes refer to titles of the catalogue.
    changes.on('catalogue', forget)
  }

  /** Cached version of {@link nextShowings}. */
  async next(shown: Shown, viewer: Viewer, now: number): Promise<NextShowings> {
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
    shown: Shown,
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
    shown: Shown,
    now: number,
    read: (missing: Shown) => Promise<ByTitle<Value>>,
    untilOf: (value: Value) => number,
  ): Promise<ByTitle<Value>> {
    const kept = this.#of<Value>(audience)
    const found: ByTitle<Value> = { assets: new Map(), series: new Map(), programmes: new Map() }
    const missing = {
      assetIds: known(shown.assetIds, kept.assets, found.assets, now),
      serieIds: known(shown.serieIds, kept.series, found.series, now),
      programmeKeys: known(shown.programmeKeys, kept.programmes, found.programmes, now),
    }
    if (missing.assetIds.length + missing.serieIds.length + missing.programmeKeys.length === 0) return found
    const edition = this.#edition
    const lately = await read(missing)
    const keep = <Id extends string | number>(
      ids: readonly Id[],
      from: ReadonlyMap<Id, Value>,
      into: Map<Id, Value>,
      memory: Map<string | number, Kept<Value>>,
    ) => {
      for (const id of ids) {
        const value = from.get(id)
        if (value !== undefined) into.set(id, value)
        if (edition !== this.#edition) continue
        if (!memory.has(id)) this.#size += 1
        memory.set(id, {
          value,
          from: now,
          until: value === undefined ? Number.POSITIVE_INFINITY : untilOf(value),
        })
      }
    }
    keep(missing.assetIds, lately.assets, found.assets, kept.assets)
    keep(missing.serieIds, lately.series, found.series, kept.series)
    keep(missing.programmeKeys, lately.programmes, found.programmes, kept.programmes)
    if (this.#size > MOST_TITLES) this.#forget()
    return found
  }

  #forget(): void {
    this.#kept.clear()
    this.#size = 0
  }

  #of<Value>(audience: string): Titles<Value> {
    // The prefix of the audience's key determines the type of the values.
    const kept = this.#kept.get(audience) as Titles<Value> | undefined
    if (kept) return kept
    const made: Titles<Value> = { assets: new Map(), series: new Map(), programmes: new Map() }
    this.#kept.set(audience, made)
    return made
  }
}

/** Copies valid cached values into `found`. @returns the ids that are missing */
function known<Id extends string | number, Value>(
  ids: readonly Id[],
  memory: ReadonlyMap<string | number, Kept<Value>>,
  found: Map<Id, Value>,
  now: number,
): Id[] {
  return ids.filter((id) => {
    const kept = memory.get(id)
    if (!kept || now < kept.from || now >= kept.until) return true
    if (kept.value !== undefined) found.set(id, kept.value)
    return false
  })
}
