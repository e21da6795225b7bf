import { asFieldFault } from '@ondine/contract/field-faults'
import type { TFunction } from 'i18next'

/**
 * Returns the visible text of a field's fault; undefined for a valid field. `message` is a fault of the contract.
 */
export function faultText(message: string | undefined, t: TFunction): string | undefined {
  return message === undefined ? undefined : t(`forms.${asFieldFault(message)}`)
}
