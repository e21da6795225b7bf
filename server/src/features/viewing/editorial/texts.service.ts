import type { DocumentFault } from '@ondine/contract/document-calls'
import type { TextSummary } from '@ondine/contract/editorial-calls'
import type { Image } from '@ondine/contract/entities'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import {
  type Changed,
  type Content,
  type DocumentRules,
  EditableDocument,
} from '../../../documents/editable-document.ts'
import type { Authorship, DocumentKey } from '../../../documents/revision-store.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { DocumentStore } from '../../settings/documents/documents.service.ts'
import {
  type EditorialRow,
  findNamed,
  findTexts,
  imagesById,
  putArticle,
  withdrawArticle,
} from './editorial.repository.ts'
import {
  composeArticle,
  pictureNames,
  readWritten,
  type TextName,
  type WrittenArticle,
} from './written-article.ts'

/** Prefix of the names under which the documents of texts are stored. */
const KIND = 'texts'
/** Stored instead of the path of a folder, for texts that an operator wrote. */
const BY_OPERATOR = ''
/** Number of characters of a changed text that a history shows. */
const SHOWN_CHARACTERS = 200

/** Key of a text, with its storefront. */
export interface TextKey extends TextName {
  storefrontId: number
}

/**
 * Single texts that operators write while the service runs. Each text is a document with its history. The
 * transaction that stores a text also renders it for viewers, by the same rules as an import of a folder.
 */
export class EditorialTexts {
  readonly #db: Database
  readonly #documents: DocumentStore
  readonly #clock: Clock
  readonly #rules: DocumentRules
  readonly #log: FastifyBaseLogger

  constructor(db: Database, documents: DocumentStore, clock: Clock, log: FastifyBaseLogger) {
    this.#db = db
    this.#documents = documents
    this.#clock = clock
    this.#log = log
    this.#rules = {
      kind: 'a text',
      faultsOf: (key, content) => faultsOf(nameOf(key), content),
      warningsOf,
      along: async (tx, key, content) => await this.#publish(tx, key, content),
      told: shortened,
    }
  }

  /** Returns the texts of a storefront, including drafts. */
  async list(
    storefrontId: number,
    filter: { type?: string | undefined; language?: string | undefined },
    { page, count }: { page: number; count: number },
  ): Promise<TextSummary[]> {
    const part = { limit: count, offset: (page - 1) * count }
    const rows = await findTexts(this.#db, storefrontId, filter, part)
    return rows.map((row) => this.#summary(row))
  }

  /** Returns a text as the operator wrote it, and as viewers see it. */
  async read(key: TextKey): Promise<{ revision: number; markdown: string | null; text: TextSummary | null }> {
    const { revision, markdown } = this.stored(key)
    const row = await findNamed(this.#db, key.storefrontId, key)
    return { revision, markdown: markdown ?? null, text: row ? this.#summary(row) : null }
  }

  /** Returns a text as an editable document. */
  document(key: TextKey): EditableDocument {
    return new EditableDocument(this.#documents, this.#rules, this.#log, keyOf(key))
  }

  /** Returns the text that an operator wrote, with its revision. */
  stored(key: TextKey): { revision: number; markdown: string | undefined } {
    const { revision, content } = this.document(key).current()
    return { revision, markdown: markdownOf(content) }
  }

  /**
   * Writes a text, replacing the existing one.
   *
   * @throws ServiceError `invalidInput` with the line and reason of each fault, `conflict` when `base` is not the
   * newest revision
   */
  async write(key: TextKey, base: number, markdown: string, authorship: Authorship): Promise<Changed> {
    return await this.document(key).replace(base, { markdown }, authorship)
  }

  /** Removes a text. @throws ServiceError `notFound` when there is no text */
  async remove(key: TextKey, base: number, authorship: Authorship): Promise<Changed> {
    const row = await findNamed(this.#db, key.storefrontId, key)
    if (!row) throw new ServiceError('notFound')
    return await this.document(key).replace(base, {}, authorship)
  }

  /** Renders a document for viewers, and stores the result. */
  async #publish(tx: Transaction, key: DocumentKey, content: Content): Promise<void> {
    const name = nameOf(key)
    const written = readContent(name, content)
    // A text that is invalid under the current rules can no longer be shown.
    if (written === undefined || Array.isArray(written)) {
      await withdrawArticle(tx, key.storefrontId, name, this.#clock.now())
      return
    }
    const { article } = composeArticle(written, await picturesOf(tx, written), {
      storefrontId: key.storefrontId,
      library: BY_OPERATOR,
      source: '',
    })
    await putArticle(tx, article, this.#clock.now(), true)
  }

  #summary({
    storefrontId,
    language,
    type,
    slug,
    title,
    draft,
    library,
    source,
    updatedAt,
  }: EditorialRow): TextSummary {
    const { revision } = this.#documents.current(keyOf({ storefrontId, language, type, slug }))
    return {
      language,
      type,
      slug,
      title,
      draft,
      file: library === BY_OPERATOR ? null : source,
      revision,
      updatedAt: updatedAt / 1000,
    }
  }
}

function keyOf({
  storefrontId,
  language,
  type,
  slug,
}: Omit<TextKey, 'language'> & { language: string }): DocumentKey {
  return { storefrontId, name: `${KIND}/${language}/${type}/${slug}` }
}

function nameOf({ name }: DocumentKey): { language: string; type: string; slug: string } {
  const [, language = '', type = '', slug = ''] = name.split('/')
  return { language, type, slug }
}

function markdownOf({ markdown }: Content): string | undefined {
  return typeof markdown === 'string' ? markdown : undefined
}

/** Parses a document: returns the text, or its faults, or undefined if there is no text. */
function readContent(
  name: ReturnType<typeof nameOf>,
  content: Content,
): WrittenArticle | DocumentFault[] | undefined {
  const markdown = markdownOf(content)
  if (markdown === undefined) return undefined
  const written = readWritten(markdown, name)
  if (Array.isArray(written))
    return written.map(({ line, reason }) => ({ path: pathOf(line), message: reason }))
  const parts = ['language', 'type', 'slug'] as const
  const others = parts.filter((part) => written[part] !== name[part])
  if (others.length === 0) return written
  return others.map((part) => ({
    path: pathOf(2),
    message: `${part} is ${written[part]}, but the text is addressed as ${name[part]}`,
  }))
}

function faultsOf(name: ReturnType<typeof nameOf>, content: Content): DocumentFault[] {
  const read = readContent(name, content)
  return Array.isArray(read) ? read : []
}

/**
 * Returns warnings about content that is not shown as written. For pictures, it checks only the form of the addresses,
 * not whether the pictures exist.
 */
function warningsOf(content: Content): DocumentFault[] {
  const written = readWritten(markdownOf(content) ?? '', { language: 'fra', type: 'articles', slug: 'text' })
  if (Array.isArray(written)) return []
  const pictures = new Map(
    pictureNames(written)
      .filter((name) => IMAGE.test(name))
      .map((name) => [name, { url: name, width: 1, height: 1, color: '' }]),
  )
  const { remarks } = composeArticle(written, pictures, { storefrontId: 0, library: BY_OPERATOR, source: '' })
  return remarks.map(({ line, reason }) => ({ path: pathOf(line), message: reason }))
}

function pathOf(line: number): string {
  return `markdown.${line}`
}

/** Address of a picture in the image store. */
const IMAGE = /^\/images\/([\da-f]{32})$/

/**
 * Returns the pictures of the image store that a text shows, by address. Unlike an imported text, a single
 * text has no folder with pictures.
 */
async function picturesOf(tx: Transaction, written: WrittenArticle): Promise<Map<string, Image>> {
  const ids = pictureNames(written).map((name) => IMAGE.exec(name)?.[1] ?? null)
  return new Map([...(await imagesById(tx, ids)).values()].map((image) => [image.url, image]))
}

/** Shortens a long text, because a history would otherwise contain it many times. */
function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > SHOWN_CHARACTERS
    ? `${value.slice(0, SHOWN_CHARACTERS)}…`
    : value
}
