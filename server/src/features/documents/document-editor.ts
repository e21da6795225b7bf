import type { Difference, Fault } from '@ondine/contract/document-calls'
import type { FastifyBaseLogger } from 'fastify'
import { invalidFields } from '../../http/errors.ts'
import { differencesOf } from './differences.ts'
import type { DocumentKey } from './documents.repository.ts'
import type { Authorship, DocumentStore, HistoryPage, Revision } from './documents.service.ts'

/** The content of a document. */
export type Content = Record<string, unknown>

/** What may stand in documents of one kind. */
export interface DocumentRules {
  /** The kind, for the log. */
  kind: string
  /** What keeps a document from being stored, each with its path and reason. */
  faultsOf(key: DocumentKey, content: Content): Fault[]
  /** What is stored all the same, and should be known. */
  warningsOf(content: Content): Fault[]
}

/** What a change did. */
export interface Changed {
  revision: number
  differences: Difference[]
  warnings: Fault[]
}

/** A revision with what it changed. */
export type HistoryEntry = Omit<Revision, 'document'> & { differences: Difference[] }

/** What operators do with documents of one kind: change, replace, restore, undo; and what was done. */
export class DocumentEditor {
  readonly #documents: DocumentStore
  readonly #rules: DocumentRules
  readonly #log: FastifyBaseLogger

  constructor(documents: DocumentStore, rules: DocumentRules, log: FastifyBaseLogger) {
    this.#documents = documents
    this.#rules = rules
    this.#log = log
  }

  /**
   * Changes a document.
   *
   * @param edit makes the new content of the old one, or says what is wrong with the change
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` when `base` is not the newest
   */
  async change(
    key: DocumentKey,
    base: number,
    edit: (content: Content) => { document: Content } | { faults: Fault[] },
    authorship: Authorship,
  ): Promise<Changed> {
    const { content } = await this.#at(key, base)
    const edited = edit(content)
    if ('faults' in edited) throw refusal(edited.faults)
    return await this.replace(key, base, edited.document, authorship)
  }

  /**
   * Puts a document in the place of what was set.
   *
   * @throws ServiceError as `change` does
   */
  async replace(key: DocumentKey, base: number, content: Content, authorship: Authorship): Promise<Changed> {
    const faults = this.#rules.faultsOf(key, content)
    if (faults.length > 0) throw refusal(faults)
    return await this.#save(key, base, content, authorship)
  }

  /** Makes revision `to` the newest again. It may hold what is not known any more; that is left out when it is read. */
  async restore(key: DocumentKey, base: number, to: number, authorship: Authorship): Promise<Changed> {
    const { content, restores } = await this.#at(key, to)
    return await this.#save(key, base, content, authorship, restores ?? to)
  }

  /** Takes the last change back that was not taken back yet. */
  async undo(key: DocumentKey, base: number, authorship: Authorship): Promise<Changed> {
    const { restores } = await this.#at(key, base)
    const undone = restores ?? base
    if (undone === 0) throw invalidFields([{ field: 'revision', message: 'has nothing before it' }])
    return await this.restore(key, base, undone - 1, authorship)
  }

  /** Who changed what, the newest first. */
  async history(key: DocumentKey, page: HistoryPage): Promise<HistoryEntry[]> {
    // One more, to tell what the oldest of the page has changed.
    const rows = await this.#documents.history(key, { ...page, count: page.count + 1 })
    return rows.slice(0, page.count).map(({ document, ...row }, index) => ({
      ...row,
      differences: differencesOf(rows[index + 1]?.document ?? {}, document),
    }))
  }

  /** What differs between two revisions. */
  async diff(key: DocumentKey, from: number, to: number): Promise<Difference[]> {
    const [before, after] = await Promise.all([this.#at(key, from), this.#at(key, to)])
    return differencesOf(before.content, after.content)
  }

  async #at(key: DocumentKey, revision: number): Promise<{ content: Content; restores: number | null }> {
    const { document, restores } = await this.#documents.at(key, revision)
    // Only objects are ever stored.
    return { content: document as Content, restores }
  }

  async #save(
    key: DocumentKey,
    base: number,
    content: Content,
    authorship: Authorship,
    restores?: number,
  ): Promise<Changed> {
    const before = await this.#at(key, base)
    const { revision } = await this.#documents.save(key, base, content, authorship, restores)
    this.#log.info({ ...key, revision, ...authorship }, `${this.#rules.kind} was changed`)
    return {
      revision,
      differences: differencesOf(before.content, content),
      warnings: this.#rules.warningsOf(content),
    }
  }
}

/** A history as calls answer it: with times in seconds. */
export function presentHistory(entries: readonly HistoryEntry[]) {
  return entries.map(({ revision, author, reason, madeAt, restores, differences }) => ({
    revision,
    author,
    reason,
    madeAt: madeAt / 1000,
    restores,
    differences,
  }))
}

function refusal(faults: readonly Fault[]) {
  return invalidFields(faults.map(({ path, message }) => ({ field: path, message })))
}
