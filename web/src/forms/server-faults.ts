import { asFieldFault, type FieldFault } from '@ondine/contract/field-faults'
import type { ErrorDetails } from '@ondine/contract/operation'

/**
 * Returns the service's faults for the fields of a form (A5-04). Faults of other fields are left out, because the form
 * cannot show them.
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
