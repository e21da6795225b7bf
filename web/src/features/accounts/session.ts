import { type Session, session } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { query } from '../../api/query.ts'

/** Who looks at the page. Asked for once per page; signing in or out makes it stale. */
export const sessionQuery = query(session, {})

/** Whether a child's profile looks at the page: calls of the account are refused to it (decision 46). */
export function isChildWatching(queries: QueryClient): boolean {
  return isChild(queries.getQueryData(sessionQuery.queryKey))
}

/** The same of a session that is at hand. */
export function isChild(session: Pick<Session, 'profile'> | undefined): boolean {
  return session?.profile?.kidProfile === true
}

/** Who looks at the page. */
interface Viewer {
  session: Session
}

/** Provided by `ViewerProvider`. */
export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Who looks at the page. */
export function useSession(): Session {
  const viewer = use(ViewerContext)
  if (viewer === undefined) throw new Error('Nothing above says who looks at the page')
  return viewer.session
}
