import type { FastifyBaseLogger } from 'fastify'
import type { Changes, Topic } from './changes.ts'
import { Pace } from './pace.ts'

/** What is made of the rows of a table. */
export interface RowCopy<Row> {
  /** A row that is new, or has changed. */
  add(row: Row): void
  /** A row that is gone; it need not have been there. */
  remove(id: number): void
  /** Whether so much was removed that it is better made anew. */
  readonly isWorn: boolean
}

/** A table whose changes are told by the ids of their rows (`ondine_tell_rows` in `changes.sql`). */
export interface FollowedTable<Row extends { id: number }> {
  topic: Topic
  /** The rows after an id, in the order of their ids. */
  readAfter(id: number, limit: number): Promise<Row[]>
  /** Those of these rows that are there. */
  readThese(ids: readonly number[]): Promise<Row[]>
}

/** Most rows that are read at once: other calls are answered in between. */
const SLICE = 500
/** So many changed rows are read before an answer; more, as an import brings them, beside the answers. */
const MOST_AWAITED = 500
const RETRY_MS = 1000

/**
 * A copy of a table in memory: read when it is first asked for, then kept in step row by row. What changes while it is
 * being read is read again.
 */
export class FollowedRows<Row extends { id: number }, Copy extends RowCopy<Row>> {
  readonly #table: FollowedTable<Row>
  readonly #make: () => Copy
  readonly #log: FastifyBaseLogger
  readonly #exact: boolean
  readonly #changed = new Set<number>()
  #copy: Copy | undefined
  /** Whether anything may have changed. */
  #lost = true
  #reading: Promise<Copy> | undefined
  /** When it may be read again after it could not be, by the process's own timer. */
  #pausedUntil = 0

  /** @param exact never give what is older than the last change, however much has changed. */
  constructor(
    table: FollowedTable<Row>,
    make: () => Copy,
    { changes, log, exact }: { changes: Changes; log: FastifyBaseLogger; exact: boolean },
  ) {
    this.#table = table
    this.#make = make
    this.#log = log
    this.#exact = exact
    changes.on(table.topic, (ids) => {
      if (ids === null) this.#lost = true
      else for (const id of ids) this.#changed.add(id)
    })
  }

  async current(): Promise<Copy> {
    const copy = this.#copy
    if (!copy) return await this.#readOnce()
    if (!this.#lost && this.#changed.size === 0 && !copy.isWorn) return copy
    if (performance.now() < this.#pausedUntil) return copy
    const mayLag = !this.#exact && (this.#lost || copy.isWorn || this.#changed.size > MOST_AWAITED)
    const reading = this.#readOnce()
    return mayLag ? copy : await reading
  }

  async #readOnce(): Promise<Copy> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return await this.#reading
  }

  async #read(): Promise<Copy> {
    try {
      if (!this.#copy || this.#lost || this.#copy.isWorn) this.#copy = await this.#readAll()
      await this.#catchUp(this.#copy)
    } catch (error) {
      if (!this.#copy) throw error
      this.#lost = true
      this.#log.error(
        { err: error, topic: this.#table.topic },
        'what changed could not be read; the last is used',
      )
      this.#pausedUntil = performance.now() + RETRY_MS
    }
    return this.#copy
  }

  async #readAll(): Promise<Copy> {
    this.#lost = false
    this.#changed.clear()
    const copy = this.#make()
    const pace = new Pace(SLICE)
    let last: number | undefined = 0
    while (last !== undefined) {
      const after: number = last
      last = await pace.slice(async (most) => {
        const rows = await this.#table.readAfter(after, most)
        for (const row of rows) copy.add(row)
        return rows.length < most ? undefined : rows.at(-1)?.id
      })
    }
    return copy
  }

  async #catchUp(copy: Copy): Promise<void> {
    const pace = new Pace(SLICE)
    while (this.#changed.size > 0) {
      await pace.slice(async (most) => {
        const ids = this.#takeChanged(most)
        const rows = await this.#table.readThese(ids)
        const there = new Set(rows.map(({ id }) => id))
        for (const id of ids) if (!there.has(id)) copy.remove(id)
        for (const row of rows) copy.add(row)
      })
    }
  }

  /** Takes at most `most` ids off the list of what has changed. A row that changes from here on is told again. */
  #takeChanged(most: number): number[] {
    const ids: number[] = []
    // One by one: the list has a million ids after the import of a large guide.
    for (const id of this.#changed) {
      if (ids.length === most) break
      ids.push(id)
      this.#changed.delete(id)
    }
    return ids
  }
}
