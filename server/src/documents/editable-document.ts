import type { Difference, DocumentFault } from '@ondine/contract/document-calls'
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from '../database/connection.ts'
import { invalidFields } from '../http/errors.ts'
import { differencesOf } from './differences.ts'
import type {
  Authorship,
  DocumentKey,
  HistoryPage,
  Origin,
  Revision,
  RevisionStore,
} from './revision-store.ts'

/** Content of a document. */
export type Content = Record<string, unknown>

/** Rules for documents of one kind. */
export interface DocumentRules {
  /** The kind, for the log. */
  kind: string
  /** Returns the faults that prevent storing a document, each with its path and reason. */
  faultsOf(key: DocumentKey, content: Content): DocumentFault[]
  /** Returns warnings, which do not prevent storing the content. */
  warningsOf(content: Content): DocumentFault[]
  /** Writes the rows derived from a document, in the transaction that stores the document. */
  along?(tx: Transaction, key: DocumentKey, content: Content): Promise<void>
  /** Returns the form in which differences show a value. By default the value itself. */
  told?(value: unknown): unknown
}

/** Result of a change. */
export interface Changed {
  revision: number
  differences: Difference[]
  warnings: DocumentFault[]
}

/** A revision with the differences that it made, without the whole document. */
export type HistoryEntry = Omit<Revision, 'document'> & { differences: Difference[] }

/** One document and an operator's changes to it. `base` is the revision that the operator has seen. */
export class EditableDocument {
  readonly #documents: RevisionStore
  readonly #rules: DocumentRules
  readonly #log: FastifyBaseLogger
  readonly #key: DocumentKey

  constructor(documents: RevisionStore, rules: DocumentRules, log: FastifyBaseLogger, key: DocumentKey) {
    this.#documents = documents
    this.#rules = rules
    this.#log = log
    this.#key = key
  }

  /**
   * Returns the newest revision of the document, with its content. Revision 0 means that the document was never
   * changed.
   */
  current(): { revision: number; content: Content } {
    const { revision, document } = this.#documents.current(this.#key)
    // The store contains objects only.
    return { revision, content: document as Content }
  }

  /**
   * Changes the document.
   *
   * @param edit returns the new content for the current content, or the faults of the change
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` when `base` is not the
   * newest revision
   */
  async change(
    base: number,
    edit: (content: Content) => { document: Content } | { faults: DocumentFault[] },
    authorship: Authorship,
  ): Promise<Changed> {
    const { content } = await this.#at(base)
    const edited = edit(content)
    if ('faults' in edited) throw refusal(edited.faults)
    return await this.replace(base, edited.document, authorship)
  }

  /**
   * Replaces the whole content.
   *
   * @throws ServiceError as `change` does
   */
  async replace(base: number, content: Content, authorship: Authorship): Promise<Changed> {
    const faults = this.#rules.faultsOf(this.#key, content)
    if (faults.length > 0) throw refusal(faults)
    return await this.#save(base, content, authorship)
  }

  /**
   * Stores the content of revision `to` as a new revision. Fields that this version of Ondine does not know are
   * stored too, but left out when the document is read.
   */
  async restore(base: number, to: number, authorship: Authorship): Promise<Changed> {
    const { content } = await this.#at(to)
    return await this.#save(base, content, authorship, { restores: to, isUndo: false })
  }

  /**
   * Undoes the last change that has not been undone yet. A restored revision is such a change: undoing it brings back
   * the content before the restore.
   */
  async undo(base: number, authorship: Authorship): Promise<Changed> {
    const undone = notUndone(await this.#at(base))
    if (undone === 0) throw invalidFields([{ field: 'revision', message: 'has nothing before it' }])
    const before = await this.#at(undone - 1)
    return await this.#save(base, before.content, authorship, { restores: notUndone(before), isUndo: true })
  }

  /** Returns the changes with their authors, the newest first. */
  async history(page: HistoryPage): Promise<HistoryEntry[]> {
    // Reads one revision more than the requested page of the history, to compute the differences of the page's oldest
    // revision.
    const rows = await this.#documents.history(this.#key, { ...page, count: page.count + 1 })
    return rows.slice(0, page.count).map(({ document, ...row }, index) => ({
      ...row,
      differences: this.#differences(rows[index + 1]?.document ?? {}, document),
    }))
  }

  /** Returns the differences between two revisions. */
  async diff(from: number, to: number): Promise<Difference[]> {
    const [before, after] = await Promise.all([this.#at(from), this.#at(to)])
    return this.#differences(before.content, after.content)
  }

  async #at(revision: number): Promise<{ revision: number; content: Content } & Origin> {
    const { document, restores, isUndo } = await this.#documents.at(this.#key, revision)
    // The store contains objects only.
    return { revision, content: document as Content, restores, isUndo }
  }

  async #save(base: number, content: Content, authorship: Authorship, origin?: Origin): Promise<Changed> {
    const before = await this.#at(base)
    const { revision } = await this.#documents.save(
      this.#key,
      base,
      content,
      authorship,
      origin,
      async (tx) => await this.#rules.along?.(tx, this.#key, content),
    )
    this.#log.info({ ...this.#key, revision, ...authorship }, `${this.#rules.kind} was changed`)
    return {
      revision,
      differences: this.#differences(before.content, content),
      warnings: this.#rules.warningsOf(content),
    }
  }

  #differences(before: unknown, after: unknown): Difference[] {
    const told = this.#rules.told ?? ((value: unknown) => value)
    return differencesOf(before, after).map(({ path, from, to }) => ({
      path,
      from: told(from),
      to: told(to),
    }))
  }
}

/** Returns the newest change, up to a revision, that has not been undone; 0 if there is none. */
function notUndone({ revision, restores, isUndo }: { revision: number } & Origin): number {
  return isUndo && restores !== null ? restores : revision
}

function refusal(faults: readonly DocumentFault[]) {
  return invalidFields(faults.map(({ path, message }) => ({ field: path, message })))
}
