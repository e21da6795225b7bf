import { asFieldFault } from '@ondine/contract/field-faults'
import type { TFunction } from 'i18next'

/** What is wrong with a field, in words; undefined when nothing is. */
export function faultText(message: string | undefined, t: TFunction): string | undefined {
  return message === undefined ? undefined : t(`forms.${asFieldFault(message)}`)
}
