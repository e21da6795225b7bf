import type { Transaction } from '../database/connection.ts'

/** Identifies a document, such as the storefront's `configuration`. */
export interface DocumentKey {
  storefrontId: number
  name: string
}

/** Author and reason of a change. */
export interface Authorship {
  author: string
  reason: string
}

/** The current document. Revision 0 means that the document was never changed. */
export interface CurrentDocument {
  revision: number
  document: unknown
}

/** How a revision came from an earlier revision. */
export interface Origin {
  /** The earlier revision that this revision restores; null for an ordinary change. */
  restores: number | null
  /** Whether an undo made this revision. The next undo then goes on before the revision that it restores. */
  isUndo: boolean
}

/** A stored state of a document. Revisions are numbered from 1 on, without gaps. */
export interface Revision extends DocumentKey, CurrentDocument, Authorship, Origin {
  /** Milliseconds since the Unix epoch. */
  madeAt: number
}

/**
 * Selects a part of a history: the newest `count` revisions, or, if `before` is set, the newest `count` revisions
 * before that revision.
 */
export interface HistoryPage {
  before?: number
  count: number
}

/** Stores every revision of every document. */
export interface RevisionStore {
  /** Returns the newest revision of a document. */
  current(key: DocumentKey): CurrentDocument
  /**
   * Stores a document as the revision after `base`.
   *
   * @param along writes dependent rows in the same transaction
   * @throws ServiceError `conflict` when another change came first
   */
  save(
    key: DocumentKey,
    base: number,
    document: unknown,
    authorship: Authorship,
    origin?: Origin,
    along?: (tx: Transaction) => Promise<void>,
  ): Promise<CurrentDocument>
  /** Returns a revision; 0 is the empty document that every storefront begins with. @throws ServiceError `notFound` */
  at(key: DocumentKey, revision: number): Promise<CurrentDocument & Origin>
  /** Returns one page of a document's history, the newest revision first. */
  history(key: DocumentKey, page: HistoryPage): Promise<Revision[]>
}
