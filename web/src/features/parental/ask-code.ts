import { adultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { CODES } from '../../api/codes.ts'
import { modal } from '../../modals/modal.ts'
import { pageWords } from '../../words/fetch-words.ts'

/**
 * Asks for the parental code, and gives the proof of it that calls carry (A6-08, decision 28). A wrong one is said below
 * the field (V5-02). An account without a code is told to set one first.
 *
 * @returns null when it was not given
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

/** A title that is watched with the code is bought with it (docs/decisions/0052). */
const PURCHASE_CODE_REQUIRED = -150

/** What a call is refused with that needs the proof: by whom it is made, or what it buys. */
const NEEDS_CODE: ReadonlySet<number> = new Set([CODES.invalidAccessCode, PURCHASE_CODE_REQUIRED])

/**
 * Does something that may need the parental code: it is asked for when the service refuses without it.
 *
 * @returns null when the code was not given
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
