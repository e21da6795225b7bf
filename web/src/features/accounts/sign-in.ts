import { oauthToken } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { configurationQuery } from '../configuration/configuration-query.ts'
import { dropUnseen } from '../errors/drop-unseen.ts'
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

/**
 * Who looks at the page has changed: what was fetched as a visitor is not what this person sees. The menus stay until
 * they come anew, and the configuration is the same for everybody: no page can be drawn without them.
 */
export async function forgetVisitor(queries: QueryClient): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  dropUnseen(queries)
  const kept = new Set([sessionQuery, configurationQuery].map(({ queryKey }) => queryKey[0]))
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !kept.has(String(queryKey[0])) })
}
