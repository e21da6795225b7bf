import { ACCOUNTS } from '@ondine/contract/constants'
import type { ModalKinds } from './modal-kinds.ts'

type Purpose = ModalKinds['input']['props']['purpose']

/** Returns the accepted part of an input: of a parental code the first four digits (A5-18). */
export function kept(purpose: Purpose, written: string): string {
  return purpose === 'parentalCode'
    ? written.replaceAll(/\D/g, '').slice(0, ACCOUNTS.parentalCodeDigits)
    : written
}

/** Returns the fault of an input that needs no call to find; undefined for a valid input. */
export function inputFault(purpose: Purpose, value: string): 'required' | 'parentalCodeDigits' | undefined {
  if (value.trim() === '') return 'required'
  if (purpose === 'parentalCode' && value.length !== ACCOUNTS.parentalCodeDigits) return 'parentalCodeDigits'
  return undefined
}
