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
 * Signs in. The service answers with cookies that scripts cannot read. @throws ApiError with a message for the
 * viewer
 */
export async function signIn(credentials: Credentials): Promise<void> {
  const { access_token } = await call(oauthToken, { ...credentials, grant_type: 'password' })
  requireToken(access_token)
}

/** @throws Error if the answer to a sign-in has no token (A7.4) */
export function requireToken(accessToken: string): void {
  if (!accessToken) throw new Error('Failed to login: no accessToken.')
}

/**
 * Drops the data of the previous viewer. The old menus stay until the new menus have arrived, because no page can
 * render without menus. The configuration stays, because it is the same for all viewers.
 *
 * @param leave goes to another page before any query is fetched again
 */
export async function forgetVisitor(queries: QueryClient, leave?: () => Promise<void>): Promise<void> {
  await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
  dropUnseen(queries)
  await leave?.()
  // Also drops the data of the page that the viewer has just left. Otherwise, Back would show that data to the new
  // viewer. Keeps queries that are being fetched. If the viewer presses Back early, these are already the new
  // viewer's queries.
  if (leave !== undefined) dropUnseen(queries, 'idle')
  const kept = new Set([sessionQuery, configurationQuery].map(({ queryKey }) => queryKey[0]))
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !kept.has(String(queryKey[0])) })
}
