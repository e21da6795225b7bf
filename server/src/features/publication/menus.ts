import type { Fault } from '@ondine/contract/document-calls'
import { isLanguage, type Language } from '@ondine/contract/languages'
import type { Publication } from '@ondine/contract/publication'
import { menus } from '@ondine/contract/publication-menus'
import type { FastifyBaseLogger } from 'fastify'
import {
  type Changed,
  type Content,
  DocumentEditor,
  type HistoryEntry,
} from '../documents/document-editor.ts'
import type { Authorship, DocumentStore, HistoryPage } from '../documents/documents.service.ts'

/** Name of the menus among a storefront's documents. */
const NAME = 'menus'

/** The menus that operators have published, by storefront and language. */
export class Menus {
  readonly #documents: DocumentStore
  readonly #editor: DocumentEditor

  constructor(documents: DocumentStore, log: FastifyBaseLogger) {
    this.#documents = documents
    this.#editor = new DocumentEditor(
      documents,
      { kind: 'the menus', faultsOf: (_key, content) => faultsOf(content), warningsOf: () => [] },
      log,
    )
  }

  /** The published menus in a language; undefined when there are none, or none that this service can read. */
  of(storefrontId: number, language: Language): Publication | undefined {
    const parsed = menus.safeParse(this.stored(storefrontId).set[language])
    return parsed.success ? parsed.data : undefined
  }

  /** What is published, with its revision. */
  stored(storefrontId: number): { revision: number; set: Content } {
    const { revision, document } = this.#documents.current(keyOf(storefrontId))
    // Only objects are ever stored.
    return { revision, set: document as Content }
  }

  /**
   * Publishes menus in place of those before.
   *
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` when `base` is not the newest
   */
  async replace(
    storefrontId: number,
    base: number,
    content: Content,
    authorship: Authorship,
  ): Promise<Changed> {
    return await this.#editor.replace(keyOf(storefrontId), base, content, authorship)
  }

  /** Publishes revision `to` again. */
  async restore(storefrontId: number, base: number, to: number, authorship: Authorship): Promise<Changed> {
    return await this.#editor.restore(keyOf(storefrontId), base, to, authorship)
  }

  /** Takes the last change back that was not taken back yet. */
  async undo(storefrontId: number, base: number, authorship: Authorship): Promise<Changed> {
    return await this.#editor.undo(keyOf(storefrontId), base, authorship)
  }

  /** Who changed what, the newest first. */
  async history(storefrontId: number, page: HistoryPage): Promise<HistoryEntry[]> {
    return await this.#editor.history(keyOf(storefrontId), page)
  }
}

function keyOf(storefrontId: number) {
  return { storefrontId, name: NAME }
}

function faultsOf(content: Content): Fault[] {
  return Object.entries(content).flatMap(([language, written]) => {
    if (!isLanguage(language)) return [{ path: language, message: 'is not a language of this service' }]
    const parsed = menus.safeParse(written)
    if (parsed.success) return []
    return parsed.error.issues.map(({ path, message }) => ({ path: [language, ...path].join('.'), message }))
  })
}
