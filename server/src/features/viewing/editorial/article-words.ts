import { asc, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { Replica, type RowCopy } from '../../../database/replica.ts'
import { editorial } from './editorial.table.ts'

/** A word of a search. A text contains the word if it has one of `lexemes`, or a lexeme that begins with `prefix`. */
interface WantedWord {
  lexemes: readonly string[]
  prefix: string | null
}

interface TextWords {
  id: number
  lexemes: string[]
}

/**
 * The words of all texts, in memory. Notices of the database keep them up to date. Most searches match no text,
 * and a database query for texts took longer than the search for titles. A search that matches a text still
 * queries the database, because only the database knows who may read the text.
 */
export class ArticleWords {
  readonly #texts: Replica<TextWords, LexemeIndex>

  constructor(db: Database, options: { changes: Changes; log: FastifyBaseLogger; exact: boolean }) {
    const read = async (condition: SQL, limit: number) =>
      await db
        .select({ id: editorial.id, lexemes: sql<string[]>`tsvector_to_array(${editorial.words})` })
        .from(editorial)
        .where(condition)
        .orderBy(asc(editorial.id))
        .limit(limit)
    this.#texts = new Replica(
      {
        topic: 'editorial',
        readAfter: async (id, limit) => await read(gt(editorial.id, id), limit),
        readThese: async (ids) => await read(inArray(editorial.id, [...ids]), ids.length),
      },
      () => new LexemeIndex(),
      options,
    )
  }

  /** Returns whether a text, visible or not, has all of these words. */
  async haveAll(wanted: readonly WantedWord[]): Promise<boolean> {
    return (await this.#texts.current()).haveAll(wanted)
  }
}

/** Texts by their lexemes. */
class LexemeIndex implements RowCopy<TextWords> {
  readonly isWorn = false
  readonly #lexemes = new Map<number, readonly string[]>()
  readonly #texts = new Map<string, Set<number>>()

  add({ id, lexemes }: TextWords): void {
    this.remove(id)
    this.#lexemes.set(id, lexemes)
    for (const lexeme of lexemes) {
      const texts = this.#texts.get(lexeme)
      if (texts) texts.add(id)
      else this.#texts.set(lexeme, new Set([id]))
    }
  }

  remove(id: number): void {
    for (const lexeme of this.#lexemes.get(id) ?? []) {
      const texts = this.#texts.get(lexeme)
      texts?.delete(id)
      if (texts?.size === 0) this.#texts.delete(lexeme)
    }
    this.#lexemes.delete(id)
  }

  haveAll(wanted: readonly WantedWord[]): boolean {
    let left: ReadonlySet<number> | undefined
    for (const word of wanted) {
      const having = this.#having(word)
      left = left ? new Set([...left].filter((id) => having.has(id))) : having
      if (left.size === 0) return false
    }
    return left !== undefined
  }

  #having({ lexemes, prefix }: WantedWord): Set<number> {
    const having = new Set<number>()
    const note = (texts: Iterable<number> = []) => {
      for (const id of texts) having.add(id)
    }
    for (const lexeme of lexemes) note(this.#texts.get(lexeme))
    if (prefix === null) return having
    for (const [lexeme, texts] of this.#texts) if (lexeme.startsWith(prefix)) note(texts)
    return having
  }
}
