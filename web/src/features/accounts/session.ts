import { type Session, session } from '@ondine/contract/accounts'
import { createContext, use, useSyncExternalStore } from 'react'
import { query } from '../../api/query.ts'

/** Who looks at the page. Asked for once per page; signing in or out makes it stale. */
export const sessionQuery = query(session, {})

/** Who looks at the page, and the service's clock. One for a page: everything on it reads them from here. */
export interface Viewer {
  session: Session
  /** Calls back each second; returns how to end that. */
  everySecond: (changed: () => void) => () => void
  /** The service's time, in whole seconds since the epoch. */
  now: () => number
}

/** Provided by `ViewerProvider`. */
export const ViewerContext = createContext<Viewer | undefined>(undefined)

/** Who looks at the page. */
export function useSession(): Session {
  return useViewer().session
}

/**
 * The service's time, in whole seconds since the epoch, moving each second (V3, live state). It follows the service's
 * clock, not the viewer's: what is live is decided there.
 */
export function useNow(): number {
  const viewer = useViewer()
  return useSyncExternalStore(viewer.everySecond, viewer.now, () => Math.floor(viewer.session.now))
}

function useViewer(): Viewer {
  const viewer = use(ViewerContext)
  if (viewer === undefined) throw new Error('Nothing above says who looks at the page')
  return viewer
}
