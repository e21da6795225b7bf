import { oauthToken } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { sessionQuery } from './session.ts'

/** What a person gives to get in. */
export interface Credentials {
  username: string
  password: string
}

/** Signs in; the service answers with cookies that scripts cannot read. @throws ApiError with what is wrong, in words */
export async function signIn(credentials: Credentials): Promise<void> {
  await call(oauthToken, { ...credentials, grant_type: 'password' })
}

/** Who looks at the page has changed: what was fetched as a visitor is not what this person sees. */
export async function forgetVisitor(queries: QueryClient): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  queries.removeQueries({ type: 'inactive' })
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}
