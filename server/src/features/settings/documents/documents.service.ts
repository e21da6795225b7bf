import type { Clock } from '../../../clock.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import type {
  Authorship,
  CurrentDocument,
  DocumentKey,
  HistoryPage,
  Origin,
  Revision,
  RevisionStore,
} from '../../../documents/revision-store.ts'
import { ServiceError } from '../../../http/errors.ts'
import { addRevision, findRevision, listHeads, listRevisions } from './documents.repository.ts'

/**
 * Documents that operators change while the service runs. Each storefront has its own documents, by name. All
 * documents are in memory. Every change is stored with its author and reason. A change that is based on an
 * outdated revision is refused, so that concurrent changes cannot overwrite each other.
 */
export class DocumentStore implements RevisionStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #current = new Map<number, Map<string, CurrentDocument>>()
  readonly #listeners = new Set<(key: DocumentKey) => void>()

  private constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Loads all documents. */
  static async open(db: Database, clock: Clock): Promise<DocumentStore> {
    const store = new DocumentStore(db, clock)
    await store.refresh()
    return store
  }

  /** Returns the current document from memory. */
  current({ storefrontId, name }: DocumentKey): CurrentDocument {
    return this.#current.get(storefrontId)?.get(name) ?? { revision: 0, document: {} }
  }

  /**
   * Returns the number of the newest revision of each document of a storefront, by the document's name. Documents
   * with the same name before a slash share one entry: the sum of their numbers.
   */
  revisionsOf(storefrontId: number): Record<string, number> {
    const revisions: Record<string, number> = {}
    for (const [name, { revision }] of this.#current.get(storefrontId) ?? []) {
      const [group = name] = name.split('/')
      revisions[group] = (revisions[group] ?? 0) + revision
    }
    return revisions
  }

  /** Adds a listener for new revisions of documents, from this process or another. */
  onChange(changed: (key: DocumentKey) => void): void {
    this.#listeners.add(changed)
  }

  async save(
    key: DocumentKey,
    base: number,
    document: unknown,
    { author, reason }: Authorship,
    origin: Origin = { restores: null, isUndo: false },
    along?: (tx: Transaction) => Promise<void>,
  ): Promise<CurrentDocument> {
    const { storefrontId, name } = key
    const row = { storefrontId, name, document, author, reason, ...origin, madeAt: this.#clock.now() }
    const stored = await this.#db.transaction(async (tx) => {
      const added = await addRevision(tx, base, row)
      if (added) await along?.(tx)
      return added
    })
    if (!stored) {
      await this.refresh()
      throw new ServiceError('conflict')
    }
    const current = { revision: base + 1, document }
    this.#keep(key, current)
    return current
  }

  async at(key: DocumentKey, revision: number): Promise<CurrentDocument & Origin> {
    if (revision === 0) return { revision, document: {}, restores: null, isUndo: false }
    const row = await findRevision(this.#db, key, revision)
    if (!row) throw new ServiceError('notFound')
    return row
  }

  async history(key: DocumentKey, page: HistoryPage): Promise<Revision[]> {
    return await listRevisions(this.#db, key, page)
  }

  /** Loads the newest revision of each document whose revision in memory is older. */
  async refresh(): Promise<void> {
    for (const { revision, ...key } of await listHeads(this.#db)) {
      if (this.current(key).revision >= revision) continue
      const { document } = await this.at(key, revision)
      this.#keep(key, { revision, document })
    }
  }

  #keep(key: DocumentKey, current: CurrentDocument): void {
    // Skip an older revision: its read can finish after the read of a newer revision.
    if (this.current(key).revision >= current.revision) return
    const ofStorefront = this.#current.get(key.storefrontId) ?? new Map<string, CurrentDocument>()
    this.#current.set(key.storefrontId, ofStorefront.set(key.name, current))
    for (const listener of this.#listeners) listener(key)
  }
}
