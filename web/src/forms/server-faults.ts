import { asFieldFault, type FieldFault } from '@ondine/contract/field-faults'
import type { ErrorDetails } from '@ondine/contract/operation'

/**
 * The faults that the service found, by those fields of a form that have them (A5-04). What it says of fields that the
 * form does not have is nobody's who fills it in.
 */
export function serverFaults<Name extends string>(
  details: ErrorDetails | null,
  names: readonly Name[],
): Partial<Record<Name, FieldFault>> {
  const faults: Partial<Record<Name, FieldFault>> = {}
  for (const { field, message } of details?.fields ?? []) {
    const name = names.find((each) => each === field)
    if (name !== undefined) faults[name] ??= asFieldFault(message)
  }
  return faults
}
