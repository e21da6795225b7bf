import type { DocumentFault } from '@ondine/contract/document-calls'
import { isLanguage, type Language } from '@ondine/contract/languages'
import type { Publication } from '@ondine/contract/publication'
import { menus } from '@ondine/contract/publication-menus'
import type { FastifyBaseLogger } from 'fastify'
import { type Content, type DocumentRules, EditableDocument } from '../../../documents/editable-document.ts'
import { plainIssue } from '../../../plain-issue.ts'
import type { DocumentStore } from '../documents/documents.service.ts'

/** Name of the document with the menus. */
const NAME = 'menus'

const RULES: DocumentRules = {
  kind: 'the menus',
  faultsOf: (_key, content) => faultsOf(content),
  warningsOf: () => [],
}

/** Menus published by operators, by storefront and language. */
export class Menus {
  readonly #documents: DocumentStore
  readonly #log: FastifyBaseLogger
  /** Cache of {@link picturesOf}, by the content of the document. */
  readonly #pictures = new WeakMap<Content, readonly string[]>()

  constructor(documents: DocumentStore, log: FastifyBaseLogger) {
    this.#documents = documents
    this.#log = log
  }

  /**
   * Returns the published menus in a language; undefined if there are none, or if they are invalid for this
   * version.
   */
  of(storefrontId: number, language: Language): Publication | undefined {
    const parsed = menus.safeParse(this.document(storefrontId).current().content[language])
    return parsed.success ? parsed.data : undefined
  }

  /** Returns the addresses of pictures of other sites in the published menus of all languages. */
  picturesOf(storefrontId: number): readonly string[] {
    const { content } = this.document(storefrontId).current()
    const known = this.#pictures.get(content)
    if (known) return known
    const published = Object.keys(content)
      .filter(isLanguage)
      .flatMap((language) => this.of(storefrontId, language) ?? [])
    const entries = published.flatMap(({ header, footer }) => [...header, ...footer])
    const images = entries.flatMap((entry) => [entry.image, ...entry.content.map(({ image }) => image)])
    const pictures = images.filter((image) => image.startsWith('https:'))
    this.#pictures.set(content, pictures)
    return pictures
  }

  /** Returns the menus of all languages, as an editable document. */
  document(storefrontId: number): EditableDocument {
    return new EditableDocument(this.#documents, RULES, this.#log, { storefrontId, name: NAME })
  }
}

function faultsOf(content: Content): DocumentFault[] {
  return Object.entries(content).flatMap(([language, written]) => {
    if (!isLanguage(language)) return [{ path: language, message: 'is not a language of this service' }]
    const parsed = menus.safeParse(written, { error: plainIssue })
    if (parsed.success) return []
    return parsed.error.issues.map(({ path, message }) => ({ path: [language, ...path].join('.'), message }))
  })
}
