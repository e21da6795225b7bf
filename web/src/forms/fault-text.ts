import { asFieldFault } from '@ondine/contract/field-faults'
import type { TFunction } from 'i18next'

/** Returns the error message of a field; undefined for a valid field. */
export function faultText(message: string | undefined, t: TFunction): string | undefined {
  return message === undefined ? undefined : t(`forms.${asFieldFault(message)}`)
}
