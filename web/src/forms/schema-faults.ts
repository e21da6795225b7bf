import { asFieldFault, type FieldFault } from '@ondine/contract/field-faults'
import type * as z from 'zod'

/** The schema of a form's fields. `Sent` is its output. */
export type FormSchema<Values, Sent = Values> = z.ZodType<Sent, Values>

/** Faults by field name; empty for a valid form. */
export type Faults = Partial<Record<string, FieldFault>>

/**
 * Converts the issues of a schema to the first fault of each field. An empty field with any issue counts as
 * missing (A5-02).
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
