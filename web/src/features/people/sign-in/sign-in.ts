import { oauthToken } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { configurationQuery } from '../../ground/configuration/configuration-query.ts'
import { dropUnseen } from '../../ground/errors/drop-unseen.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/** An e-mail address and a password. */
export interface Credentials {
  username: string
  password: string
}

/**
 * Signs in. The service answers with cookies that scripts cannot read. @throws ApiError with a message for the viewer
 */
export async function signIn(credentials: Credentials): Promise<void> {
  const { access_token } = await call(oauthToken, { ...credentials, grant_type: 'password' })
  if (!access_token) throw new Error('Failed to login: no accessToken.')
}

/**
 * Drops the data that was fetched for the previous viewer. The menus stay until new ones have arrived, and so does the
 * configuration, which is the same for all viewers: no page can render without these two.
 *
 * @param leave goes to another page before any query is fetched again
 */
export async function forgetVisitor(queries: QueryClient, leave?: () => Promise<void>): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  dropUnseen(queries)
  await leave?.()
  // Also drops the data that the page before was using. Otherwise, Back would show it to the new viewer. Queries that
  // are being fetched are kept: if the viewer pressed Back early, they are for the new viewer already.
  if (leave !== undefined) dropUnseen(queries, 'idle')
  const kept = new Set([sessionQuery, configurationQuery].map(({ queryKey }) => queryKey[0]))
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !kept.has(String(queryKey[0])) })
}
