import { type Configuration, configuration, TOLERANT_FIELDS } from '@ondine/contract/configuration'
import type { DocumentFault } from '@ondine/contract/document-calls'
import { isRecord } from '../../../documents/differences.ts'
import { plainIssue } from '../../../plain-issue.ts'

/** Fields of a configuration that an operator has set, as stored. */
export type StoredConfiguration = Record<string, unknown>

/** Result of parsing a stored document: its valid part, and its faults. */
export interface Reading {
  configuration: Configuration
  /** The document without its invalid parts. */
  document: StoredConfiguration
  /** Parts that were removed as invalid, because a version of the service with other fields stored them. */
  faults: DocumentFault[]
  /** Unknown values in fields that accept them. The configuration has the field's fallback instead (V3-52). */
  warnings: DocumentFault[]
}

/** One change: sets a field to `value`, or resets it to its default if there is no value. */
export interface Change {
  path: string
  value?: unknown
}

/** Names that are not allowed in a path, because setting them would change prototypes of JavaScript objects. */
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor'])

/** Returns the faults of a document, each with its path and reason; none if the document may be stored. */
export function faultsOf(document: unknown): DocumentFault[] {
  const parsed = configuration.safeParse(document, { error: plainIssue })
  return parsed.success ? [] : parsed.error.issues.flatMap(presentIssue)
}

/**
 * Parses a stored document. Removes invalid parts, so that a configuration from another version of the service
 * cannot prevent a start.
 */
export function readStored(stored: StoredConfiguration): Reading {
  let document = structuredClone(stored)
  const faults: DocumentFault[] = []
  for (;;) {
    const parsed = configuration.safeParse(document, { error: plainIssue })
    if (parsed.success)
      return { configuration: parsed.data, document, faults, warnings: warningsOf(document) }
    const found = parsed.error.issues.flatMap(presentIssue)
    faults.push(...found)
    for (const { path } of found) document = without(document, path.split('.'))
  }
}

/**
 * Returns the unknown values of a document in fields that accept them. The configuration has the field's fallback
 * instead (V3-52).
 */
export function warningsOf(document: unknown): DocumentFault[] {
  return Object.entries(TOLERANT_FIELDS).flatMap(([path, { values, fallback }]) => {
    const value = valueAt(document, path)
    if (typeof value !== 'string' || values.includes(value)) return []
    return [{ path, message: `"${value}" is not one of ${values.join(', ')}: ${fallback} is used` }]
  })
}

/** Returns the value at a path such as `home.connected.0.limit`. An empty path means the whole document. */
export function valueAt(document: unknown, path: string): unknown {
  if (path === '') return document
  return path.split('.').reduce<unknown>((value, part) => child(value, part), document)
}

/**
 * Copies `document` and applies the changes in order. Removes unknown fields, which another version stored,
 * because they would make every change fail.
 *
 * @returns the copy, or the faults if a path does not exist
 */
export function applyChanges(
  document: StoredConfiguration,
  changes: readonly Change[],
): { document: StoredConfiguration } | { faults: DocumentFault[] } {
  const { document: copy } = readStored(document)
  const faults = changes.flatMap((change) => {
    const parts = change.path.split('.')
    if (parts.some((part) => part === '' || FORBIDDEN.has(part)))
      return [{ path: change.path, message: 'is not a field' }]
    if (change.value !== undefined) return put(copy, parts, change)
    // The field is unknown to this version and was removed above, so a reset has nothing to do.
    return valueAt(document, change.path) !== undefined && valueAt(copy, change.path) === undefined
      ? []
      : drop(copy, parts, change)
  })
  return faults.length > 0 ? { faults } : { document: copy }
}

function put(document: StoredConfiguration, parts: string[], { path, value }: Change): DocumentFault[] {
  const last = parts.at(-1) ?? ''
  let place: unknown = document
  for (const [index, part] of parts.slice(0, -1).entries()) {
    if (child(place, part) === undefined) {
      // Copy the whole default list into the document, so that one of its items can be set.
      const whole = valueAt(readStored(document).configuration, parts.slice(0, index + 1).join('.'))
      assign(place, part, Array.isArray(whole) ? structuredClone(whole) : {})
    }
    place = child(place, part)
  }
  return assign(place, last, value) ? [] : [{ path, message: 'is not a field' }]
}

function drop(document: StoredConfiguration, parts: string[], { path }: Change): DocumentFault[] {
  const { configuration } = readStored(document)
  const above = parts.slice(0, -1)
  const list = valueAt(configuration, above.join('.'))
  if (Array.isArray(list)) {
    const last = parts.at(-1) ?? ''
    if (!/^\d{1,4}$/.test(last) || Number(last) >= list.length)
      return [{ path, message: 'is not in the list' }]
    const items = valueAt(document, above.join('.')) ?? list
    return put(document, above, { path, value: (items as unknown[]).toSpliced(Number(last), 1) })
  }
  if (valueAt(configuration, path) === undefined) return [{ path, message: 'is not set' }]
  unset(document, parts)
  return []
}

function assign(place: unknown, part: string, value: unknown): boolean {
  if (Array.isArray(place)) {
    const index = Number(part)
    // The index after the last item adds an item. A larger index would leave a gap.
    if (!/^\d{1,4}$/.test(part) || index > place.length) return false
    place[index] = value
    return true
  }
  if (!isRecord(place)) return false
  place[part] = value
  return true
}

function unset(document: unknown, parts: string[]): void {
  const place = parts.slice(0, -1).reduce<unknown>(child, document)
  const last = parts.at(-1) ?? ''
  if (Array.isArray(place)) place.splice(Number(last), 1)
  else if (isRecord(place)) delete place[last]
}

/**
 * Removes the value at a path from the document, and returns the document. If the path has no value, removes the
 * nearest existing parent.
 */
function without(document: StoredConfiguration, parts: string[]): StoredConfiguration {
  let end = parts.length
  while (end > 0 && valueAt(document, parts.slice(0, end).join('.')) === undefined) end--
  if (end === 0) return {}
  unset(document, parts.slice(0, end))
  return document
}

function child(place: unknown, part: string): unknown {
  if (Array.isArray(place)) return /^\d+$/.test(part) ? (place[Number(part)] as unknown) : undefined
  return isRecord(place) && Object.hasOwn(place, part) ? place[part] : undefined
}

type Issue = NonNullable<ReturnType<typeof configuration.safeParse>['error']>['issues'][number]

function presentIssue(issue: Issue): DocumentFault[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
  return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a field' }))
}
