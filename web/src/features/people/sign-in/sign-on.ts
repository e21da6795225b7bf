import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import { call } from '../../../api/call.ts'

/** Redirects to the operator's identity provider. `back` is the page to return to (A4.3-01). @throws ApiError */
export async function leaveForProvider(back: string): Promise<void> {
  const { url } = await call(beginSignOn, { back })
  location.assign(url)
}

/** Completes the sign-on that came back with `query`. @returns the page requested before the sign-on @throws ApiError */
export async function comeBack(query: string): Promise<string> {
  return (await call(finishSignOn, { query })).back
}
