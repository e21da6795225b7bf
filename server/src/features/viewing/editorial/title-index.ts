import { slugify } from '@ondine/contract/slugs'
import { ne } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import type { ReferenceKind } from './references.ts'

/**
 * Age after which the index is loaded again, in milliseconds: `MISSING_MS` for a title that is not in the index,
 * `GOOD_MS` for any other title.
 */
const MISSING_MS = 15_000
const GOOD_MS = 600_000

/**
 * Finds catalogue ids by title for the references in texts. It does not check visibility: the catalogue does that for
 * each id.
 */
export class TitleIndex {
  #ids = new Map<string, number>()
  #loading: Promise<Map<string, number>> | undefined
  #loadedAt = Number.NEGATIVE_INFINITY

  /** Returns the id for a title in the form used in addresses. */
  async find(db: Database, kind: ReferenceKind, slug: string, now: number): Promise<number | undefined> {
    const key = `${kind}/${slug}`
    const age = now - this.#loadedAt
    if (age > GOOD_MS || age < 0 || (age > MISSING_MS && !this.#ids.has(key))) {
      this.#loading ??= load(db).finally(() => {
        this.#loading = undefined
      })
      this.#ids = await this.#loading
      this.#loadedAt = now
    }
    return this.#ids.get(key)
  }
}

async function load(db: Database): Promise<Map<string, number>> {
  const [assetRows, categoryRows, channelRows] = await Promise.all([
    db
      .select({ id: assets.id, names: assets.titles })
      .from(assets)
      .where(ne(assets.availability, 'withdrawn'))
      .orderBy(assets.id),
    db
      .select({ id: categories.id, names: categories.names, kind: categories.kind })
      .from(categories)
      .where(ne(categories.kind, 'season'))
      .orderBy(categories.id),
    db.select({ id: channels.id, names: channels.names }).from(channels).orderBy(channels.id),
  ])
  const ids = new Map<string, number>()
  const add = (kind: ReferenceKind, id: number, names: Record<string, string>) => {
    for (const name of Object.values(names)) {
      const key = `${kind}/${slugify(name)}`
      if (!ids.has(key)) ids.set(key, id)
    }
  }
  for (const { id, names } of assetRows) add('vod_asset', id, names)
  for (const { id, names, kind } of categoryRows)
    add(kind === 'series' ? 'series' : 'vod_category', id, names)
  for (const { id, names } of channelRows) add('live_channel', id, names)
  return ids
}
