import type { FastifyBaseLogger } from 'fastify'
import type { Changes, Topic } from './changes.ts'
import { Pace } from './pace.ts'

/** A structure built from the rows of a table. */
export interface RowCopy<Row> {
  /** Adds a row that is new or has changed. */
  add(row: Row): void
  /** Removes a row. Does nothing if the copy does not contain the row. */
  remove(id: number): void
  /** Whether so many rows were removed that the copy should be rebuilt. */
  readonly isWorn: boolean
}

/** A table whose changes are reported by the ids of their rows (`ondine_tell_rows` in `changes.sql`). */
export interface FollowedTable<Row extends { id: number }> {
  topic: Topic
  /** Returns rows with an id larger than `id`, in the order of their ids. */
  readAfter(id: number, limit: number): Promise<Row[]>
  /** Returns the existing rows among those with these ids. */
  readThese(ids: readonly number[]): Promise<Row[]>
}

/** Maximum number of rows per read. Other calls are answered between reads. */
const SLICE = 500
/**
 * Maximum number of changed rows that are read before `current` returns. More changed rows, such as after an import,
 * are read in the background.
 */
const MOST_AWAITED = 500
const RETRY_MS = 1000

/**
 * Keeps a copy of a table in memory. The first request reads the whole table. After that, only changed rows are
 * read. Rows that change during a read are read again.
 */
export class Replica<Row extends { id: number }, Copy extends RowCopy<Row>> {
  readonly #table: FollowedTable<Row>
  readonly #make: () => Copy
  readonly #log: FastifyBaseLogger
  readonly #exact: boolean
  readonly #changed = new Set<number>()
  #copy: Copy | undefined
  /** Whether an unknown set of rows may have changed, so that all rows must be read again. */
  #lost = true
  #reading: Promise<Copy> | undefined
  /** Value of `performance.now()` until which a failed read is not retried, and the last copy is used. */
  #pausedUntil = 0

  /** @param exact whether `current` always waits until all changed rows are read, regardless of their number */
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
      // All rows will be read again, as in a process that never reads them. So no ids need to be remembered.
      if (this.#lost) return
      if (ids === null) {
        this.#lost = true
        this.#changed.clear()
      } else for (const id of ids) this.#changed.add(id)
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
        'changed rows could not be read; the last copy is used',
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

  /**
   * Removes up to `most` ids from the set of changed rows, and returns them. A row that changes later is added
   * again.
   */
  #takeChanged(most: number): number[] {
    const ids: number[] = []
    // Reads ids one at a time: after the import of a large guide, the set holds a million ids, too many to copy.
    for (const id of this.#changed) {
      if (ids.length === most) break
      ids.push(id)
      this.#changed.delete(id)
    }
    return ids
  }
}
