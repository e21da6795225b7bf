import { type Session, session } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { query } from '../../../api/query.ts'

/** The current viewer's session. Fetched once per page, and again after a sign-in or sign-out. */
export const sessionQuery = query(session, {})

/** Returns whether a child's profile is active. The service refuses account calls of such a profile (spec 46). */
export function isChildWatching(queries: QueryClient): boolean {
  return isChild(queries.getQueryData(sessionQuery.queryKey))
}

/** Returns whether the profile of `session` is a child's. */
export function isChild(session: Pick<Session, 'profile'> | undefined): boolean {
  return session?.profile?.kidProfile === true
}

interface Viewer {
  session: Session
}

/** Provided by `ViewerProvider`. */
export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Returns the current viewer's session. */
export function useSession(): Session {
  const viewer = use(ViewerContext)
  if (viewer === undefined) throw new Error('No ViewerContext above this component')
  return viewer.session
}
