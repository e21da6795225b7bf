import { type Configuration, configuration, TOLERANT_FIELDS } from '@ondine/contract/configuration'
import type { Fault } from '@ondine/contract/document-calls'
import { isRecord } from '../documents/differences.ts'

/** What an operator has set of a configuration, as it is stored. */
export type StoredConfiguration = Record<string, unknown>

/** What of a document holds, and what does not. */
export interface Reading {
  configuration: Configuration
  /** The document without what does not hold. */
  document: StoredConfiguration
  /** What was left out, because the service that stored it knew other fields. */
  faults: Fault[]
  /** Unknown words that count as their fallback (V3-52). */
  warnings: Fault[]
}

/** One change: a field gets `value`, or its default again when there is none. */
export interface Change {
  path: string
  value?: unknown
}

/** Parts of a path that are never the name of a field. */
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor'])

/** The faults of a document, each with its path and reason; none when it may be stored. */
export function faultsOf(document: unknown): Fault[] {
  const parsed = configuration.safeParse(document)
  return parsed.success ? [] : parsed.error.issues.flatMap(presentIssue)
}

/**
 * Reads a stored document. What does not hold is left out instead of refused: a configuration that an older or newer
 * service has stored never keeps this one from starting.
 */
export function readStored(stored: StoredConfiguration): Reading {
  let document = structuredClone(stored)
  const faults: Fault[] = []
  for (;;) {
    const parsed = configuration.safeParse(document)
    if (parsed.success)
      return { configuration: parsed.data, document, faults, warnings: warningsOf(document) }
    const found = parsed.error.issues.flatMap(presentIssue)
    faults.push(...found)
    for (const { path } of found) document = without(document, path.split('.'))
  }
}

/** The unknown words of a document that count as their fallback (V3-52). */
export function warningsOf(document: unknown): Fault[] {
  return Object.entries(TOLERANT_FIELDS).flatMap(([path, { values, fallback }]) => {
    const value = valueAt(document, path)
    if (typeof value !== 'string' || values.includes(value)) return []
    return [{ path, message: `"${value}" is not one of ${values.join(', ')}: ${fallback} is used` }]
  })
}

/** The value at a path such as `home.connected.0.limit`; the whole document for an empty path. */
export function valueAt(document: unknown, path: string): unknown {
  if (path === '') return document
  return path.split('.').reduce<unknown>((value, part) => child(value, part), document)
}

/**
 * A copy of `document` with the changes made in their order. What another version of the service has stored there, and this one
 * does not know, is left out: it would be refused, and every change with it.
 *
 * @returns the faults of paths that lead nowhere, else the copy
 */
export function applyChanges(
  document: StoredConfiguration,
  changes: readonly Change[],
): { document: StoredConfiguration } | { faults: Fault[] } {
  const { document: copy } = readStored(document)
  const faults = changes.flatMap((change) => {
    const parts = change.path.split('.')
    if (parts.some((part) => part === '' || FORBIDDEN.has(part)))
      return [{ path: change.path, message: 'is not a field' }]
    if (change.value !== undefined) return put(copy, parts, change)
    // What was left out is gone already.
    return valueAt(document, change.path) !== undefined && valueAt(copy, change.path) === undefined
      ? []
      : drop(copy, parts, change)
  })
  return faults.length > 0 ? { faults } : { document: copy }
}

function put(document: StoredConfiguration, parts: string[], { path, value }: Change): Fault[] {
  const last = parts.at(-1) ?? ''
  let place: unknown = document
  for (const [index, part] of parts.slice(0, -1).entries()) {
    if (child(place, part) === undefined) {
      // A list that still has its default is set as a whole, so that one of its items can be.
      const whole = valueAt(readStored(document).configuration, parts.slice(0, index + 1).join('.'))
      assign(place, part, Array.isArray(whole) ? structuredClone(whole) : {})
    }
    place = child(place, part)
  }
  return assign(place, last, value) ? [] : [{ path, message: 'is not a field' }]
}

function drop(document: StoredConfiguration, parts: string[], { path }: Change): Fault[] {
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
    // One past the end adds an item; a gap would be no list.
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

/** The document without what is at a path; without the nearest thing above it when that is not there. */
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

function presentIssue(issue: Issue): Fault[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }]
  return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a field' }))
}
