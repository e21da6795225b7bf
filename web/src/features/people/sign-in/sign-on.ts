import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import { call } from '../../../api/call.ts'
import { leaveFor } from '../../../api/native.ts'
import { requireToken } from './sign-in.ts'

/**
 * Goes to the operator's identity provider. The viewer returns to `back` afterwards (A4.3-01).
 * @throws ApiError
 */
export async function leaveForProvider(back: string): Promise<void> {
  const { url } = await call(beginSignOn, { back })
  leaveFor(url)
}

/**
 * Completes the sign-on. `query` is the query string of the address to which the identity provider has redirected.
 * @returns the page that the viewer requested before the sign-on
 * @throws ApiError; Error if the answer has no token
 */
export async function comeBack(query: string): Promise<string> {
  const { access_token, back } = await call(finishSignOn, { query })
  requireToken(access_token)
  return back
}
