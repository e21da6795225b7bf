import type { Difference } from '@ondine/contract/document-calls'

/** Returns the differences between two documents, by path. A list counts as one value. */
export function differencesOf(from: unknown, to: unknown, path = ''): Difference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isRecord(from) && !isRecord(to)) return [{ path, from, to }]
  // An added or removed object is reported field by field.
  const before = isRecord(from) ? from : {}
  const after = isRecord(to) ? to : {}
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differencesOf(before[key], after[key], path === '' ? key : `${path}.${key}`),
  )
}

/** Returns whether a value is an object with named parts. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
