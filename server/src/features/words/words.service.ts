import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import {
  BUNDLED_LANGUAGES,
  DEFAULT_LANGUAGE,
  isBundled,
  isLanguage,
  type Language,
} from '@ondine/contract/languages'
import type { Catalogue, CatalogueTexts } from '@ondine/contract/words'
import type { FastifyBaseLogger } from 'fastify'
import type { Configurations } from '../configuration/configuration.service.ts'
import type { Authorship, DocumentStore } from '../documents/documents.service.ts'
import {
  type Changed,
  type Content,
  type DocumentRules,
  EditableDocument,
} from '../documents/editable-document.ts'
import { BUNDLED_TEXTS, placeholdersOf, type Texts } from './bundled-texts.ts'
import { composeTexts } from './compose-texts.ts'
import { textFaults } from './text-faults.ts'

/** How many texts that are missing are named in the log. */
const MOST_NAMED = 20
/** Good enough for what is made anew with every change. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const RULES: DocumentRules = {
  kind: 'a text',
  faultsOf: ({ name }, content) => textFaults(languageOf(name), content),
  warningsOf: () => [],
}

/** The words of a storefront in a language, ready to be read and served. */
export interface WordsState {
  texts: CatalogueTexts
  /** Paths of the texts that another language had to give. */
  missing: string[]
  /** Of the content: another one after every change of a text. */
  tag: string
  /** Where pages read them; never another content at the same address. */
  address: string
  body: string
  /** The body, compressed. */
  packed(): Promise<Buffer>
}

/** A text that an operator changes; without a value it is what came with the service again. */
export interface TextChange {
  path: string
  value?: string | undefined
}

/** The words of all storefronts, and what operators do with them (V1-15, V3-56, spec decision 12). */
export class Words {
  readonly #documents: DocumentStore
  readonly #configurations: Configurations
  readonly #apiKeyOf: (storefrontId: number) => string
  readonly #log: FastifyBaseLogger
  readonly #states = new Map<string, WordsState & { edition: string }>()
  readonly #reported = new Map<string, Set<string>>()

  constructor(
    documents: DocumentStore,
    configurations: Configurations,
    apiKeyOf: (storefrontId: number) => string,
    log: FastifyBaseLogger,
  ) {
    this.#documents = documents
    this.#configurations = configurations
    this.#apiKeyOf = apiKeyOf
    this.#log = log
  }

  /** The languages that a storefront speaks, its default one first. */
  languages(storefrontId: number): [Language, ...Language[]] {
    const { languages } = this.#configurations.of(storefrontId)
    const first = isLanguage(languages.default) ? languages.default : DEFAULT_LANGUAGE
    return [first, ...languages.languages.filter(isLanguage).filter((language) => language !== first)]
  }

  /** Whether a catalogue can be asked for: of a language that the storefront speaks, or that comes with the service. */
  has(storefrontId: number, language: Language): boolean {
    return isBundled(language) || this.languages(storefrontId).includes(language)
  }

  /** The words of a storefront in a language: the same object until one of them changes. */
  state(storefrontId: number, language: Language): WordsState {
    const key = `${storefrontId} ${language}`
    const { edition } = this.#configurations.state(storefrontId)
    const known = this.#states.get(key)
    if (known?.edition === edition) return known
    const made = this.#compose(storefrontId, language)
    const state = { ...(known?.tag === made.tag ? known : made), edition }
    this.#states.set(key, state)
    return state
  }

  /** All texts as a catalogue of groups (V3-56). */
  catalogue(storefrontId: number, language: Language): Catalogue {
    const { texts } = this.state(storefrontId, language)
    return {
      locale: { code: language, file: `${language}.json` },
      groups: Object.entries(texts).map(([group, translations], groupIndex) => ({
        id: group,
        name: readable(group),
        slug: group,
        displayOrder: groupIndex,
        translations: Object.entries(translations).map(([slug, value], index) => ({
          id: `${group}.${slug}`,
          name: readable(slug),
          slug,
          displayOrder: index,
          value,
          description: [...placeholdersOf(value)].map((name) => `{{${name}}}`).join(' '),
        })),
      })),
    }
  }

  /** What of a language was set, as an operator works on it. */
  document(storefrontId: number, language: Language): EditableDocument {
    const key = { storefrontId, name: `${PREFIX}${language}` }
    return new EditableDocument(this.#documents, RULES, this.#log, key)
  }

  /** What of a language was set, with its revision. */
  stored(storefrontId: number, language: Language): { revision: number; set: Texts } {
    const { revision, content } = this.document(storefrontId, language).current()
    return { revision, set: textsOf(content) }
  }

  /**
   * Changes texts, all or none. What another version of the service has stored and this one has no place for goes with it: it
   * would be refused, and every change.
   *
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` when `base` is not the newest
   */
  async change(
    storefrontId: number,
    language: Language,
    base: number,
    changes: readonly TextChange[],
    authorship: Authorship,
  ): Promise<Changed> {
    const edit = (content: Readonly<Record<string, unknown>>) => {
      const gone = new Set(textFaults(language, content).map(({ path }) => path))
      const document = new Map(Object.entries(content).filter(([path]) => !gone.has(path)))
      for (const { path, value } of changes) {
        if (value === undefined) document.delete(path)
        else document.set(path, value)
      }
      return { document: Object.fromEntries(document) }
    }
    return await this.document(storefrontId, language).change(base, edit, authorship)
  }

  #compose(storefrontId: number, language: Language): WordsState {
    const layers = (each: Language): Texts[] => {
      const written = [this.#valid(storefrontId, each), ...(isBundled(each) ? [BUNDLED_TEXTS[each]] : [])]
      return each === 'fra' ? written.map(firmTexts) : written
    }
    const [first] = this.languages(storefrontId)
    // What not even the default language has, the service has itself.
    const others = [first, DEFAULT_LANGUAGE, ...BUNDLED_LANGUAGES].filter((each) => each !== language)
    const { texts, missing } = composeTexts(language, layers(language), others.flatMap(layers))
    this.#report(storefrontId, language, missing)
    const body = JSON.stringify(texts)
    const tag = createHash('sha256').update(body).digest('hex').slice(0, 20)
    let packed: Promise<Buffer> | undefined
    return {
      texts,
      missing,
      tag,
      address: `/translations/${this.#apiKeyOf(storefrontId)}/${language}.${tag}.json`,
      body,
      packed: () => (packed ??= promisify(brotliCompress)(body, BROTLI)),
    }
  }

  /** Says once of each text that another language has to give it (spec decision 12). */
  #report(storefrontId: number, language: Language, missing: readonly string[]): void {
    const reported = this.#reported.get(`${storefrontId} ${language}`) ?? new Set()
    this.#reported.set(`${storefrontId} ${language}`, reported)
    const newly = missing.filter((path) => !reported.has(path))
    if (newly.length === 0) return
    for (const path of newly) reported.add(path)
    const named = newly.slice(0, MOST_NAMED)
    this.#log.warn({ storefrontId, language, missing: newly.length, named }, 'texts are missing')
  }

  /** What was set and still holds: a text that another version of the service has stored may not. */
  #valid(storefrontId: number, language: Language): Texts {
    const { set } = this.stored(storefrontId, language)
    const faults = textFaults(language, set)
    for (const fault of faults)
      this.#log.warn({ storefrontId, language, ...fault }, 'a text that was set is left out')
    const wrong = new Set(faults.map(({ path }) => path))
    return Object.fromEntries(Object.entries(set).filter(([path]) => !wrong.has(path)))
  }
}

const PREFIX = 'words-'

/** French texts as they are read: typed with common spaces, by us and by operators. */
function firmTexts(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, firmSpaces(text)]))
}

function languageOf(name: string): Language {
  const code = name.slice(PREFIX.length)
  if (!isLanguage(code)) throw new Error(`${name} holds no words`)
  return code
}

function textsOf(content: Content): Texts {
  // Only texts are ever stored.
  return content as Texts
}

/** A name as people write it: `moreInfo` is `More info`. */
function readable(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
