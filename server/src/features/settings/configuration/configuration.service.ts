import { createHash } from 'node:crypto'
import { type Configuration, configuration } from '@ondine/contract/configuration'
import type { DocumentFault } from '@ondine/contract/document-calls'
import type { ConfigurationState as PageConfiguration } from '@ondine/web/api/page-context'
import type { FastifyBaseLogger } from 'fastify'
import { type Changed, type DocumentRules, EditableDocument } from '../../../documents/editable-document.ts'
import type { Authorship } from '../../../documents/revision-store.ts'
import type { DocumentStore } from '../documents/documents.service.ts'
import {
  applyChanges,
  type Change,
  faultsOf,
  readStored,
  type StoredConfiguration,
  warningsOf,
} from './configuration-document.ts'

/** Name of the document with the configuration. */
const NAME = 'configuration'

/**
 * A feature's rule for its own fields, beyond their types.
 *
 * @param wanted the configuration after the change
 * @param present the configuration before the change
 * @returns the faults of the change
 */
type ChangeRule = (wanted: Configuration, present: Configuration) => DocumentFault[]

/** A configuration file to serve. */
interface ConfigurationFile {
  body: string
  /** Entity tag, which changes with `body`. */
  tag: string
}

/** Configuration of a storefront, in the forms that callers and pages need. */
export interface ConfigurationState {
  revision: number
  configuration: Configuration
  /**
   * Number of the newest revision of each document of the storefront. To detect changes of documents, a page
   * compares these numbers with the numbers that it received before.
   */
  revisions: Record<string, number>
  /** A tag that changes whenever a document or the name of the storefront changes. */
  edition: string
  /**
   * The part of the configuration that pages receive. Until a change, the object stays the same, so that it is
   * serialised only once.
   */
  page: PageConfiguration
  /** Files by name: `configuration`, `revisions`, and the name of each section. */
  files: ReadonlyMap<string, ConfigurationFile>
}

/** Configurations of all storefronts, in memory. Operators change them here. */
export class Configurations {
  readonly #documents: DocumentStore
  readonly #log: FastifyBaseLogger
  readonly #nameOf: (storefrontId: number) => string
  readonly #rules: DocumentRules = {
    kind: 'the configuration',
    faultsOf: ({ storefrontId }, content) => this.#faultsOf(storefrontId, content),
    warningsOf,
  }
  readonly #changeRules: ChangeRule[] = []
  readonly #states = new Map<number, ConfigurationState & { storefrontName: string }>()

  /** @param nameOf returns a storefront's name, for a configuration without a name */
  constructor(documents: DocumentStore, log: FastifyBaseLogger, nameOf: (storefrontId: number) => string) {
    this.#documents = documents
    this.#nameOf = nameOf
    this.#log = log
    documents.onChange(({ storefrontId }) => this.#states.delete(storefrontId))
  }

  /** Returns the configuration of a storefront, computed once per change. */
  state(storefrontId: number): ConfigurationState {
    const known = this.#states.get(storefrontId)
    const storefrontName = this.#nameOf(storefrontId)
    if (known?.storefrontName === storefrontName) return known
    const { revision, content: stored } = this.document(storefrontId).current()
    const { configuration, faults, warnings } = readStored(stored)
    for (const fault of faults) this.#log.warn({ storefrontId, ...fault }, 'a configured field was ignored')
    for (const warning of warnings)
      this.#log.warn({ storefrontId, ...warning }, 'a configured value is unknown')
    configuration.brand.name ||= storefrontName
    const revisions = this.#documents.revisionsOf(storefrontId)
    // Everybody may read files and pages. The URL of an ad server may contain keys, so `ads` is excluded.
    const { ads: _, ...shown } = configuration
    const files = new Map(
      Object.entries({ configuration: shown, ...shown }).map(([name, content]) => [name, fileOf(content)]),
    )
    // The name of the storefront is not in a document, but in the pages that caches keep by this tag.
    const edition = tagOf(JSON.stringify([storefrontName, revisions]))
    files.set('revisions', { body: JSON.stringify(revisions), tag: edition })
    // The cast is safe, because pages do not read `ads`.
    const page = { configuration: shown as Configuration, tag: edition, revisions }
    const state = { revision, configuration, revisions, edition, page, files, storefrontName }
    this.#states.set(storefrontId, state)
    return state
  }

  /** Returns the configuration of a storefront with all fields, including defaults. */
  of(storefrontId: number): Configuration {
    return this.state(storefrontId).configuration
  }

  /** Returns the document with the fields that an operator has set. */
  document(storefrontId: number): EditableDocument {
    return new EditableDocument(this.#documents, this.#rules, this.#log, { storefrontId, name: NAME })
  }

  /** Adds a rule for future changes. Stored configurations are not checked. */
  requireOfChanges(rule: ChangeRule): void {
    this.#changeRules.push(rule)
  }

  /** Returns the faults that make a document invalid. */
  #faultsOf(storefrontId: number, content: unknown): DocumentFault[] {
    const faults = faultsOf(content)
    if (faults.length > 0) return faults
    const wanted = configuration.parse(content)
    return this.#changeRules.flatMap((rule) => rule(wanted, this.of(storefrontId)))
  }

  /** Returns the fields that an operator has set, their revision, and warnings about unknown values. */
  stored(storefrontId: number): { revision: number; set: StoredConfiguration; warnings: DocumentFault[] } {
    const { revision, content } = this.document(storefrontId).current()
    return { revision, set: content, warnings: warningsOf(content) }
  }

  /**
   * Changes several fields: all of them, or none if one change is invalid.
   *
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` if `base` is not the
   * newest revision
   */
  async change(
    storefrontId: number,
    base: number,
    changes: readonly Change[],
    authorship: Authorship,
  ): Promise<Changed> {
    return await this.document(storefrontId).change(
      base,
      (content) => applyChanges(content, changes),
      authorship,
    )
  }
}

function fileOf(content: unknown): ConfigurationFile {
  const body = JSON.stringify(content)
  return { body, tag: tagOf(body) }
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`
}
