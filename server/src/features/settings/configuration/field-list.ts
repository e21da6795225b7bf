import { configuration, DEFAULT_CONFIGURATION, TOLERANT_FIELDS } from '@ondine/contract/configuration'
import * as z from 'zod'
import { valueAt } from './configuration-document.ts'

/** Documentation of a configuration field. */
export interface Field {
  path: string
  /** Type of the field's values: `boolean`, `integer 0..40`, `one of a, b`. */
  type: string
  default: unknown
  summary: string
}

/** A node of a JSON schema: a field, or a section of fields. */
interface Node {
  type?: string
  description?: string
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  items?: Node
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
}

/** Returns all fields of the configuration in order, for `config fields`. */
export function listFields(): Field[] {
  return fieldsOf(z.toJSONSchema(configuration, { io: 'input' }) as Node, '')
}

function fieldsOf(node: Node, path: string): Field[] {
  const { properties } = node
  // An object with a description is a field. An object without one is a section.
  if (properties === undefined || node.description !== undefined) {
    const tolerant = TOLERANT_FIELDS[path]
    return [
      {
        path,
        // The schema of a field that accepts unknown values allows any text. So the known values come from
        // `TOLERANT_FIELDS`.
        type: typeOf(tolerant === undefined ? node : { enum: [...tolerant.values] }),
        default: valueAt(DEFAULT_CONFIGURATION, path),
        summary: node.description ?? '',
      },
    ]
  }
  return Object.entries(properties).flatMap(([name, child]) =>
    fieldsOf(child, path === '' ? name : `${path}.${name}`),
  )
}

function typeOf(node: Node): string {
  const { type = 'value', enum: words, anyOf, items, minimum, maximum } = node
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (words) return `one of ${words.join(', ')}`
  if (items) return `list of ${typeOf(items)}`
  if (node.properties) return `{ ${Object.keys(node.properties).join(', ')} }`
  if (type === 'integer' || type === 'number') return `${type} ${minimum ?? ''}..${maximum ?? ''}`
  if (type === 'object' && typeof node.additionalProperties === 'object' && !node.properties)
    return `${typeOf(node.additionalProperties)} by name`
  return type
}
