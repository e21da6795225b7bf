import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { ApiError, NO_ANSWER } from '../../api/api-error.ts'
import { PATIENCE_MS } from '../../api/call.ts'
import { environment } from '../../api/environment.ts'
import { FAILURES } from '../../api/failures.ts'
import type { OpeningService } from '../opening/opening.ts'

/** Rights that a phone lends to a screen for the content that the phone has cast (V4-56). */
export interface Lent {
  profileToken: string
  /** Proof that the viewer has entered the parental code on the phone. */
  parentalProof?: string | undefined
}

/** Returns a function that sends calls with the rights of the profile that has cast. */
export function callAs({ profileToken, parentalProof }: Lent): OpeningService['call'] {
  return async <O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> => {
    const { language, identityKey } = environment()
    const fields = encodeInput({
      ...(parentalProof !== undefined && { parentalProof }),
      ...known({ ...input }),
      languageId: language,
    })
    const isRead = operation.method === 'GET'
    const address = fillPath(operation.path, fields)
    const body = new URLSearchParams(fields)
    const response = await fetch(isRead ? `${address}?${body}` : address, {
      method: operation.method,
      headers: {
        accept: 'application/json',
        'x-identity-key': identityKey,
        'x-profile-token': profileToken,
      },
      ...(isRead ? {} : { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined)
    const answer: Envelope<OutputOf<O>> | undefined = await response?.json().catch(() => undefined)
    if (response === undefined || answer === undefined)
      throw new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: FAILURES.noResponse })
    if (answer.status) return answer.result
    throw new ApiError({ ...answer.error, status: response.status })
  }
}

/** Removes undefined fields. An undefined `parentalProof` would override the proof from the phone. */
function known(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}
