import { oauthToken } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { sessionQuery } from './session.ts'

/** What a person gives to get in. */
export interface Credentials {
  username: string
  password: string
}

/** What is wrong with a field before it is sent anywhere. */
export type FieldFault = 'required' | 'invalidEmail'

/** The faults of what was filled in, by field (V5, forms). */
export function faultsOf({ username, password }: Credentials): {
  username?: FieldFault
  password?: FieldFault
} {
  return {
    ...(username.trim() === ''
      ? { username: 'required' }
      : isEmail(username)
        ? {}
        : { username: 'invalidEmail' }),
    ...(password === '' ? { password: 'required' } : {}),
  }
}

/** Signs in; the service answers with cookies that scripts cannot read. @throws ApiError with what is wrong, in words */
export async function signIn({ username, password }: Credentials): Promise<void> {
  await call(oauthToken, { username: username.trim(), password, grant_type: 'password' })
}

/** Who looks at the page has changed: what was fetched as a visitor is not what this person sees. */
export async function forgetVisitor(queries: QueryClient): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  queries.removeQueries({ type: 'inactive' })
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
}
