import { createHash } from 'node:crypto'
import type { Configuration } from '@ondine/contract/configuration'
import type { Difference, Fault } from '@ondine/contract/configuration-calls'
import type { FastifyBaseLogger } from 'fastify'
import { invalidFields } from '../../http/errors.ts'
import type { Authorship, DocumentStore, Revision } from '../documents/documents.service.ts'
import {
  applyChanges,
  type Change,
  differencesOf,
  faultsOf,
  readStored,
  type StoredConfiguration,
  warningsOf,
} from './configuration-document.ts'

/** Name of the configuration among a storefront's documents. */
const NAME = 'configuration'

/** A file as it is served. */
export interface ConfigurationFile {
  body: string
  /** Its entity tag, made of its content. */
  tag: string
}

/** The configuration of a storefront, ready to be read and served. */
export interface ConfigurationState {
  revision: number
  configuration: Configuration
  /** The newest revision of each of the storefront's documents: what a page must know to see that one is newer. */
  revisions: Record<string, number>
  /** Another one after every change of any of these documents. */
  edition: string
  /** By name: `configuration`, each section, and `revisions`. */
  files: ReadonlyMap<string, ConfigurationFile>
}

/** What a change did. */
export interface Changed {
  revision: number
  differences: Difference[]
  warnings: Fault[]
}

/** A revision with what it changed. */
export type HistoryEntry = Omit<Revision, 'document'> & { differences: Difference[] }

/** The configurations of all storefronts, in memory, and what operators do with them. */
export class Configurations {
  readonly #documents: DocumentStore
  readonly #log: FastifyBaseLogger
  readonly #nameOf: (storefrontId: number) => string
  readonly #states = new Map<number, ConfigurationState>()

  /** @param nameOf the name of a storefront, which its configuration may replace */
  constructor(documents: DocumentStore, log: FastifyBaseLogger, nameOf: (storefrontId: number) => string) {
    this.#documents = documents
    this.#nameOf = nameOf
    this.#log = log
    documents.onChange(({ storefrontId }) => this.#states.delete(storefrontId))
  }

  /** The configuration of a storefront; made once for each change. */
  state(storefrontId: number): ConfigurationState {
    const known = this.#states.get(storefrontId)
    if (known) return known
    const { revision, document } = this.#documents.current({ storefrontId, name: NAME })
    const { configuration, faults, warnings } = readStored(document)
    for (const fault of faults) this.#log.warn({ storefrontId, ...fault }, 'a configured field is left out')
    for (const warning of warnings)
      this.#log.warn({ storefrontId, ...warning }, 'a configured value is unknown')
    configuration.brand.name ||= this.#nameOf(storefrontId)
    const revisions = this.#documents.revisionsOf(storefrontId)
    const files = new Map(
      Object.entries({ configuration, ...configuration, revisions }).map(([name, content]) => [
        name,
        fileOf(content),
      ]),
    )
    const state: ConfigurationState = {
      revision,
      configuration,
      revisions,
      edition: files.get('revisions')?.tag ?? '',
      files,
    }
    this.#states.set(storefrontId, state)
    return state
  }

  /** The configuration of a storefront with all its fields. */
  of(storefrontId: number): Configuration {
    return this.state(storefrontId).configuration
  }

  /** What of the configuration was set, with its revision. */
  stored(storefrontId: number): { revision: number; set: StoredConfiguration; warnings: Fault[] } {
    const { revision, document } = this.#documents.current({ storefrontId, name: NAME })
    return { revision, set: document as StoredConfiguration, warnings: warningsOf(document) }
  }

  /**
   * Changes fields, all or none.
   *
   * @throws ServiceError `invalidInput` with the path and reason of each fault, `conflict` when `base` is not the newest
   */
  async change(
    storefrontId: number,
    base: number,
    changes: readonly Change[],
    authorship: Authorship,
  ): Promise<Changed> {
    const { document } = await this.#at(storefrontId, base)
    const applied = applyChanges(document, changes)
    if ('faults' in applied) throw refusal(applied.faults)
    return await this.replace(storefrontId, base, applied.document, authorship)
  }

  /**
   * Puts a document in the place of what was set.
   *
   * @throws ServiceError as `change` does
   */
  async replace(
    storefrontId: number,
    base: number,
    document: StoredConfiguration,
    authorship: Authorship,
  ): Promise<Changed> {
    const faults = faultsOf(document)
    if (faults.length > 0) throw refusal(faults)
    return await this.#save(storefrontId, base, document, authorship)
  }

  /** Makes revision `to` the newest again. It may hold what is not known any more; that is left out when it is read. */
  async restore(storefrontId: number, base: number, to: number, authorship: Authorship): Promise<Changed> {
    const { document, restores } = await this.#at(storefrontId, to)
    return await this.#save(storefrontId, base, document, authorship, restores ?? to)
  }

  /** Takes the last change back that was not taken back yet. */
  async undo(storefrontId: number, base: number, authorship: Authorship): Promise<Changed> {
    const { restores } = await this.#at(storefrontId, base)
    const undone = restores ?? base
    if (undone === 0) throw invalidFields([{ field: 'revision', message: 'has nothing before it' }])
    return await this.restore(storefrontId, base, undone - 1, authorship)
  }

  /** Who changed what, the newest first. */
  async history(storefrontId: number, page: { before: number; count: number }): Promise<HistoryEntry[]> {
    const rows = await this.#documents.history(
      { storefrontId, name: NAME },
      // One more, to tell what the oldest of the page has changed.
      { ...page, count: page.count + 1 },
    )
    return rows.slice(0, page.count).map(({ document, ...row }, index) => ({
      ...row,
      differences: differencesOf(rows[index + 1]?.document ?? {}, document),
    }))
  }

  /** What differs between two revisions. */
  async diff(storefrontId: number, from: number, to: number): Promise<Difference[]> {
    const [before, after] = await Promise.all([this.#at(storefrontId, from), this.#at(storefrontId, to)])
    return differencesOf(before.document, after.document)
  }

  async #at(storefrontId: number, revision: number) {
    const found = await this.#documents.at({ storefrontId, name: NAME }, revision)
    return { ...found, document: found.document as StoredConfiguration }
  }

  async #save(
    storefrontId: number,
    base: number,
    document: StoredConfiguration,
    authorship: Authorship,
    restores?: number,
  ): Promise<Changed> {
    const before = await this.#at(storefrontId, base)
    const key = { storefrontId, name: NAME }
    const { revision } = await this.#documents.save(key, base, document, authorship, restores)
    this.#log.info({ storefrontId, revision, ...authorship }, 'the configuration was changed')
    return {
      revision,
      differences: differencesOf(before.document, document),
      warnings: warningsOf(document),
    }
  }
}

function fileOf(content: unknown): ConfigurationFile {
  const body = JSON.stringify(content)
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 20)}"` }
}

function refusal(faults: Fault[]) {
  return invalidFields(faults.map(({ path, message }) => ({ field: path, message })))
}
