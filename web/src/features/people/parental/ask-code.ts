import { adultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { refusalText } from '../../ground/errors/refusal-text.ts'

/** Why a code is needed: a new device of the account, or a change of its profiles. */
type Reason = 'newDevice' | 'profiles'

/**
 * Asks for the parental code, and returns the proof to send with calls (A6-08, spec 28). A wrong code shows an
 * error below the field (V5-02). If the account has no code yet, the viewer is asked to set one first, or to
 * leave the child's profile to change profiles.
 *
 * @param reason why the code is needed; the popup says so. By default, it gives no reason
 * @returns null if the viewer entered no code
 */
export async function askParentalCode(reason?: Reason): Promise<string | null> {
  const { t, exists } = pageWords()
  const { set } = await call(adultCode, {})
  if (!set) {
    const first = reason === 'profiles' ? 'adultFirst' : 'setFirst'
    await modal.open('alert', {
      title: t(`parentalCode.${first}Title`),
      description: t(`parentalCode.${first}`),
    })
    return null
  }
  let proof: string | null = null
  await modal.open('input', {
    purpose: 'parentalCode',
    title: t('parentalCode.title-popup'),
    ...(reason === undefined ? {} : { description: t(`parentalCode.${reason}`) }),
    check: async (parentalCode) => {
      try {
        proof = await call(validateAdultCode, { parentalCode })
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === NO_ANSWER) throw error
        return error.code === CODES.invalidAccessCode
          ? t('parentalCode.parental-code-not-ok')
          : refusalText(error, t, exists)
      }
    },
  })
  return proof
}

/**
 * Error code for a purchase that needs the parental code. A title that needs the code for playback also needs it
 * for a purchase (docs/decisions/0052).
 */
const PURCHASE_CODE_REQUIRED = -150

/** Error codes of a call without the proof of the parental code that the profile or the purchase needs. */
const NEEDS_CODE: ReadonlySet<number> = new Set([CODES.invalidAccessCode, PURCHASE_CODE_REQUIRED])

/**
 * Runs `act` without a proof of the parental code. If the service requires the proof, asks for the code and runs
 * `act` again with the proof.
 *
 * @param reason as for {@link askParentalCode}
 * @returns null if the viewer entered no code
 */
export async function withParentalCode<Result>(
  act: (parentalProof: string | undefined) => Promise<Result>,
  reason?: Reason,
): Promise<Result | null> {
  try {
    return await act(undefined)
  } catch (error) {
    if (!(error instanceof ApiError) || !NEEDS_CODE.has(error.code)) throw error
  }
  const proof = await askParentalCode(reason)
  return proof === null ? null : await act(proof)
}
