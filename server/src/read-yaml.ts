import { isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml'
import type * as z from 'zod'
import { plainIssue } from './plain-issue.ts'

/** A fault in a file: the reason, and the line, counted from 1. */
export interface YamlFault {
  line: number
  reason: string
}

/** The values of a YAML text, and their lines. */
export interface ReadYaml<Values> {
  values: Values
  /** Returns the line of a value. If the value is missing, returns the line of the closest node around it. */
  lineOf(path: readonly PropertyKey[]): number
}

/**
 * Reads a YAML mapping and validates it against a schema. Returns all values, or all faults. The schema's messages
 * continue a sentence that begins with the name of the field.
 *
 * @param what name of the text in messages
 * @param firstLine line of the file in which the text begins
 */
export function readYaml<Schema extends z.ZodType>(
  source: string,
  schema: Schema,
  { what, firstLine = 1 }: { what: string; firstLine?: number },
): ReadYaml<z.output<Schema>> | YamlFault[] {
  const counter = new LineCounter()
  // The core schema has only the types of JSON: no dates, no binary data, no sets and no JavaScript types.
  const document = parseDocument(source, {
    lineCounter: counter,
    schema: 'core',
    merge: false,
    prettyErrors: false,
  })
  const lineAt = (offset: number) => counter.linePos(offset).line + firstLine - 1
  const faults = [...document.errors, ...document.warnings]
  if (faults.length > 0)
    return faults.map((error) => ({ line: lineAt(error.pos[0]), reason: `YAML: ${error.message}` }))
  if (!isMap(document.contents))
    return [{ line: firstLine, reason: `${what} is not a list of names and values` }]
  const lineOf = (path: readonly PropertyKey[]) => lineAt(offsetOf(document.contents, path))
  let written: unknown
  try {
    // No aliases, because a few lines with aliases can expand to gigabytes.
    written = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    return [{ line: firstLine, reason: `YAML: ${error instanceof Error ? error.message : String(error)}` }]
  }
  const parsed = schema.safeParse(written, { error: plainIssue })
  if (parsed.success) return { values: parsed.data, lineOf }
  return parsed.error.issues.flatMap((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
    return unknown.map((key) => {
      const path = key === undefined ? issue.path : [...issue.path, key]
      const wrong = key === undefined ? issue.message : 'is not known here'
      return { line: lineOf(path), reason: `${path.join('.')} ${wrong}` }
    })
  })
}

function offsetOf(root: ParsedNode | null, path: readonly PropertyKey[]): number {
  let node: unknown = root
  let offset = root?.range[0] ?? 0
  for (const step of path) {
    if (isSeq(node)) {
      const item = node.items[Number(step)] as ParsedNode | undefined
      if (item == null) break
      offset = item.range[0]
      node = item
      continue
    }
    if (!isMap(node)) break
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
    if (pair === undefined) break
    if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
    node = pair.value
  }
  return offset
}
