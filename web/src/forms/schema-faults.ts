import { asFieldFault, type FieldFault } from '@ondine/contract/field-faults'
import type * as z from 'zod'

/** The schema of a form's fields. `Sent` is what it makes of them. */
export type FormSchema<Values, Sent = Values> = z.ZodType<Sent, Values>

/** What is wrong, by the name of the field; empty when nothing is. */
export type Faults = Partial<Record<string, FieldFault>>

/**
 * What the issues of a schema say about the fields, the first fault of each. An empty field that may not be empty is a
 * required field, whatever rule says so (A5-02).
 */
export function schemaFaults(issues: readonly z.core.$ZodIssue[], values: object): Faults {
  const faults: Faults = {}
  for (const { path, message } of issues) {
    const name = path.join('.')
    faults[name] ??= isEmpty(values, path) ? 'requiredField' : asFieldFault(message)
  }
  return faults
}

function isEmpty(values: object, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    values,
  )
  if (typeof value === 'string') return value.trim() === ''
  return value === undefined || value === null || value === false
}
