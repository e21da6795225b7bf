import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { ERRORS, type ErrorName } from '@ondine/contract/errors'
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
import {
  type Changed,
  type Content,
  type DocumentRules,
  EditableDocument,
} from '../../../documents/editable-document.ts'
import type { Authorship } from '../../../documents/revision-store.ts'
import type { ReportFault } from '../../../telemetry/fault-reports.ts'
import type { Configurations } from '../configuration/configuration.service.ts'
import type { DocumentStore } from '../documents/documents.service.ts'
import {
  BUNDLED_TEXTS,
  errorPath,
  placeholdersOf,
  type TextsByPath,
  textsByPath,
  withErrorCode,
} from './bundled-texts.ts'
import { type Composed, composeTexts, textsOfPages } from './compose-texts.ts'
import { textFaults } from './text-faults.ts'

/** Maximum number of missing texts in one log entry. */
const MOST_NAMED = 20
/**
 * Highest compression level, because the first page of every visit waits for the texts. Compressing them takes
 * about a tenth of a second, once per change.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

const RULES: DocumentRules = {
  kind: 'a text',
  faultsOf: ({ name }, content) => textFaults(languageOf(name), content),
  warningsOf: () => [],
}

/** Texts of a storefront in a language, in the forms that callers and pages need. */
export interface WordsState {
  texts: CatalogueTexts
  /** The texts that pages load: all but those that only answers contain. */
  pageTexts: CatalogueTexts
  /** Paths of the texts that come from another language. */
  missing: string[]
  /** Digest of the texts. Any change of a text changes the tag. */
  tag: string
  /** URL from which pages fetch the texts. Contains the tag, so that any change of a text changes the URL. */
  address: string
  /** The texts that pages load, as JSON. */
  body: string
  /** Returns the body, compressed with Brotli. */
  packed(): Promise<Buffer>
}

/** A change of a text. Without `value`, the text is reset to the built-in text. */
export interface TextChange {
  path: string
  value?: string | undefined
}

/** Texts of all storefronts, in memory (V1-15, V3-56, spec 12). Operators change them here. */
export class Words {
  readonly #documents: DocumentStore
  readonly #configurations: Configurations
  readonly #apiKeyOf: (storefrontId: number) => string
  readonly #log: FastifyBaseLogger
  readonly #reportFault: ReportFault
  readonly #states = new Map<string, WordsState & { edition: string }>()
  readonly #reported = new Map<string, Set<string>>()

  constructor(
    documents: DocumentStore,
    configurations: Configurations,
    apiKeyOf: (storefrontId: number) => string,
    log: FastifyBaseLogger,
    reportFault: ReportFault,
  ) {
    this.#documents = documents
    this.#configurations = configurations
    this.#apiKeyOf = apiKeyOf
    this.#log = log
    this.#reportFault = reportFault
  }

  /** Returns the languages of a storefront, the default language first. */
  languages(storefrontId: number): [Language, ...Language[]] {
    const { languages } = this.#configurations.of(storefrontId)
    const first = isLanguage(languages.default) ? languages.default : DEFAULT_LANGUAGE
    return [first, ...languages.languages.filter(isLanguage).filter((language) => language !== first)]
  }

  /** Returns whether a language has a catalogue: the languages of the storefront and the built-in languages do. */
  has(storefrontId: number, language: Language): boolean {
    return isBundled(language) || this.languages(storefrontId).includes(language)
  }

  /** Returns the texts of a storefront in a language. Returns the same object until a change. */
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

  /**
   * Returns the text of an error (V2.4-23). A language without a catalogue gets the text in the storefront's default
   * language.
   */
  errorText(storefrontId: number, language: Language, error: ErrorName): string {
    const spoken = this.has(storefrontId, language) ? language : this.languages(storefrontId)[0]
    const { code, text } = ERRORS[error]
    const path = errorPath(code)
    const [group = '', name = ''] = path.split('.')
    return withErrorCode(path, this.state(storefrontId, spoken).texts[group]?.[name] ?? text.eng)
  }

  /** Returns all texts as a catalogue of groups (V3-56). */
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

  /** Returns the document with the texts of a language that an operator has set. */
  document(storefrontId: number, language: Language): EditableDocument {
    const key = { storefrontId, name: `${PREFIX}${language}` }
    return new EditableDocument(this.#documents, RULES, this.#log, key)
  }

  /** Returns the texts of a language that an operator has set, with the revision of their document. */
  stored(storefrontId: number, language: Language): { revision: number; set: TextsByPath } {
    const { revision, content } = this.document(storefrontId, language).current()
    return { revision, set: textsOf(content) }
  }

  /** Returns the texts of a language as viewers would read them if none of them was set. */
  unset(storefrontId: number, language: Language): TextsByPath {
    return textsByPath(this.#texts(storefrontId, language, {}).texts)
  }

  /**
   * Changes several texts: all of them, or none if one change is invalid. Removes unknown texts, which another
   * version stored, because they would make every change fail.
   *
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` if `base` is not the
   * newest revision
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
    const { texts, missing } = this.#texts(storefrontId, language, this.#valid(storefrontId, language))
    this.#report(storefrontId, language, missing)
    const pageTexts = textsOfPages(texts)
    const body = JSON.stringify(pageTexts)
    const tag = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 20)
    let packed: Promise<Buffer> | undefined
    return {
      texts,
      pageTexts,
      missing,
      tag,
      address: `/translations/${this.#apiKeyOf(storefrontId)}/${language}.${tag}.json`,
      body,
      packed: () => (packed ??= promisify(brotliCompress)(body, BROTLI)),
    }
  }

  /** Composes the texts of a language. `set` are the texts that an operator has set in this language. */
  #texts(storefrontId: number, language: Language, set: TextsByPath): Composed {
    const layers = (each: Language): TextsByPath[] => {
      const own = each === language ? set : this.#valid(storefrontId, each)
      const written = [own, ...(isBundled(each) ? [BUNDLED_TEXTS[each]] : [])]
      return each === 'fra' ? written.map(firmTexts) : written
    }
    const [first] = this.languages(storefrontId)
    // Fallbacks for a missing text: the storefront's default language, then the service's default language, then
    // the built-in languages.
    const others = [first, DEFAULT_LANGUAGE, ...BUNDLED_LANGUAGES].filter((each) => each !== language)
    return composeTexts(language, layers(language), others.flatMap(layers))
  }

  /** Logs and reports the texts that come from another language, each text once (V8-04, spec 12). */
  #report(storefrontId: number, language: Language, missing: readonly string[]): void {
    const reported = this.#reported.get(`${storefrontId} ${language}`) ?? new Set()
    this.#reported.set(`${storefrontId} ${language}`, reported)
    const newly = missing.filter((path) => !reported.has(path))
    if (newly.length === 0) return
    for (const path of newly) reported.add(path)
    const named = newly.slice(0, MOST_NAMED)
    this.#log.warn({ storefrontId, language, missing: newly.length, named }, 'texts are missing')
    const more = newly.length > named.length ? ', …' : ''
    this.#reportFault(new MissingTexts(`${newly.length} in ${language}: ${named.join(', ')}${more}`), {
      where: 'words',
    })
  }

  /**
   * Returns the valid texts that an operator has set. Texts from another version of the service may be invalid.
   */
  #valid(storefrontId: number, language: Language): TextsByPath {
    const { set } = this.stored(storefrontId, language)
    const faults = textFaults(language, set)
    for (const fault of faults)
      this.#log.warn({ storefrontId, language, ...fault }, 'a text set by an operator was ignored')
    const wrong = new Set(faults.map(({ path }) => path))
    return Object.fromEntries(Object.entries(set).filter(([path]) => !wrong.has(path)))
  }
}

/** The fault of texts that are missing in a language. */
class MissingTexts extends Error {
  override readonly name = 'MissingTexts'
}

const PREFIX = 'words-'

/** Returns whether viewers read the same in both texts. Editors may replace the non-breaking spaces of French. */
export function isSameText(language: Language, one: string, other: string | undefined): boolean {
  if (other === undefined || language !== 'fra') return one === other
  return firmSpaces(one) === firmSpaces(other)
}

/** Inserts the non-breaking spaces of French, because people type ordinary spaces. */
function firmTexts(texts: TextsByPath): TextsByPath {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, firmSpaces(text)]))
}

function languageOf(name: string): Language {
  const code = name.slice(PREFIX.length)
  if (!isLanguage(code)) throw new Error(`${name} contains no texts`)
  return code
}

function textsOf(content: Content): TextsByPath {
  // The cast is safe, because only texts are stored in these documents.
  return content as TextsByPath
}

/** Returns a readable name: `moreInfo` becomes `More info`. */
function readable(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
