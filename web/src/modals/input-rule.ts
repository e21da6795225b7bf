import { ACCOUNTS } from '@ondine/contract/constants'
import type { ModalKinds } from './modal-kinds.ts'

type Purpose = ModalKinds['input']['props']['purpose']

/**
 * Returns the part of an input that its field accepts: the first four digits of a parental code (A5-18), the whole text
 * of any other code.
 */
export function kept(purpose: Purpose, written: string): string {
  return purpose === 'parentalCode'
    ? written.replaceAll(/\D/g, '').slice(0, ACCOUNTS.parentalCodeDigits)
    : written
}

/**
 * Returns the fault of an input that the browser can find without a call to the service; undefined if there is
 * none.
 */
export function inputFault(purpose: Purpose, value: string): 'required' | 'parentalCodeDigits' | undefined {
  if (value.trim() === '') return 'required'
  if (purpose === 'parentalCode' && value.length !== ACCOUNTS.parentalCodeDigits) return 'parentalCodeDigits'
  return undefined
}
