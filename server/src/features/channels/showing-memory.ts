import type { Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/connection.ts'
import { audienceOf, type Viewer } from '../entitlements/entitlements.service.ts'
import {
  listShowings,
  type NextShowing,
  type NextShowings,
  nextShowings,
  type Showings,
  type Shown,
} from './showings.service.ts'

/** What is remembered of one title, and for which time it holds. Milliseconds since the Unix epoch. */
interface Kept<Value> {
  /** Undefined when it is not shown any more. */
  value: Value | undefined
  from: number
  until: number
}

/** A value for each title that was asked for and is shown. */
interface ByTitle<Value> {
  assets: Map<number, Value>
  series: Map<number, Value>
  programmes: Map<string, Value>
}

type Titles<Value> = { [Kind in keyof ByTitle<Value>]: Map<string | number, Kept<Value>> }

/** Titles of all audiences that are remembered at once. */
const MOST_TITLES = 200_000

/** When titles are shown, remembered title by title until one of its showings ends or something of the guide is changed. */
export class ShowingMemory {
  readonly #db: Database
  readonly #kept = new Map<string, Titles<unknown>>()
  #size = 0
  /** Counts what was changed: what is read meanwhile is not remembered. */
  #edition = 0

  constructor(db: Database, changes: Changes) {
    this.#db = db
    const forget = () => {
      this.#edition += 1
      this.#forget()
    }
    changes.on('guide', forget)
    changes.on('channels', forget)
    // Episodes belong to series, and programmes show titles of the catalogue.
    changes.on('catalogue', forget)
  }

  /** As {@link nextShowings}. */
  async next(shown: Shown, viewer: Viewer, now: number): Promise<NextShowings> {
    return await this.#complete<NextShowing>(
      `next ${viewer.kid} ${viewer.maximumMoralityLevel}`,
      shown,
      now,
      async (missing) => await nextShowings(this.#db, missing, viewer, now),
      ({ endsAt }) => endsAt,
    )
  }

  /** As {@link listShowings}. */
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

  /** What is remembered of these titles, and what has to be read of them. */
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
    // What an audience's name begins with says what is remembered of it.
    const kept = this.#kept.get(audience) as Titles<Value> | undefined
    if (kept) return kept
    const made: Titles<Value> = { assets: new Map(), series: new Map(), programmes: new Map() }
    this.#kept.set(audience, made)
    return made
  }
}

/** Puts what is remembered and holds into `found`. @returns what does not */
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
