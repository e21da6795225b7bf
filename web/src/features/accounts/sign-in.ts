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
  const { access_token } = await call(oauthToken, { ...credentials, grant_type: 'password' })
  if (!access_token) throw new Error('Failed to login: no accessToken.')
}

/**
 * Who looks at the page has changed: what was fetched as a visitor is not what this person sees. The menus stay until
 * they come anew, and the configuration is the same for everybody: no page can be drawn without them.
 *
 * @param leave goes to another page, before anything of this one is asked for anew
 */
export async function forgetVisitor(queries: QueryClient, leave?: () => Promise<void>): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  dropUnseen(queries)
  await leave?.()
  // What the page that was left had in use would otherwise be there for the way back. What is on its way was asked for as
  // this person, perhaps by going back already.
  if (leave !== undefined) dropUnseen(queries, 'idle')
  const kept = new Set([sessionQuery, configurationQuery].map(({ queryKey }) => queryKey[0]))
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !kept.has(String(queryKey[0])) })
}
