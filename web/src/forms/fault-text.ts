import { FIELD_FAULTS } from '@ondine/contract/field-faults'
import type { TFunction } from 'i18next'

/**
 * Returns the visible text of a field's error; undefined for a valid field. `message` is a fault of the contract, or
 * the text of a refusal.
 */
export function faultText(message: string | undefined, t: TFunction): string | undefined {
  const fault = FIELD_FAULTS.find((name) => name === message)
  return fault === undefined ? message : t(`forms.${fault}`)
}
