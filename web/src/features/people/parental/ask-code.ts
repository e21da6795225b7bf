import { adultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'

/**
 * Asks for the parental code, and returns its proof for calls (A6-08, spec 28). A wrong code shows an error
 * below the field (V5-02). If the account has no code, the viewer is told to set one first.
 *
 * @returns null when no code was entered
 */
export async function askParentalCode(): Promise<string | null> {
  const { t } = pageWords()
  const { set } = await call(adultCode, {})
  if (!set) {
    await modal.open('alert', {
      title: t('parentalCode.setFirstTitle'),
      description: t('parentalCode.setFirst'),
    })
    return null
  }
  let proof: string | null = null
  await modal.open('input', {
    purpose: 'parentalCode',
    title: t('parentalCode.title-popup'),
    check: async (parentalCode) => {
      try {
        proof = await call(validateAdultCode, { parentalCode })
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return error.code === CODES.invalidAccessCode ? t('parentalCode.parental-code-not-ok') : error.message
      }
    },
  })
  return proof
}

/** A title that requires the code for watching requires it for buying too (docs/decisions/0052). */
const PURCHASE_CODE_REQUIRED = -150

/** Errors of a call that requires the proof, because of the profile or the purchase. */
const NEEDS_CODE: ReadonlySet<number> = new Set([CODES.invalidAccessCode, PURCHASE_CODE_REQUIRED])

/**
 * Runs `act`, and asks for the parental code when the service refuses without it.
 *
 * @returns null when no code was entered
 */
export async function withParentalCode<Result>(
  act: (parentalProof: string | undefined) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await act(undefined)
  } catch (error) {
    if (!(error instanceof ApiError) || !NEEDS_CODE.has(error.code)) throw error
  }
  const proof = await askParentalCode()
  return proof === null ? null : await act(proof)
}
