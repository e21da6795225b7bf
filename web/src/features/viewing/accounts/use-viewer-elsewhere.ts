import type { Session } from '@ondine/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isOnline } from '../../../api/native.ts'
import { holdCallsFor, releaseCalls } from '../../../api/session-end.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { LEAVING, viewerTabs } from '../../ground/session/viewer-tabs.ts'

/**
 * Maximum time for which this page waits while another tab signs out, in milliseconds. If the sign-out has failed
 * or the tab was closed, the calls of this page then continue.
 */
const LEAVING_MS = 10_000

/**
 * Reloads this page when another tab signs in, signs out or changes the profile, so that nobody sees data of the
 * previous viewer. While another tab signs out, the calls of this page wait. Also checks the viewer when the
 * browser restores the page from its back/forward cache.
 */
export function useViewerElsewhere(session: Session): void {
  const queries = useQueryClient()
  const viewer = viewerOf(session)
  useEffect(() => {
    const tabs = viewerTabs()
    const tell = tabs.postMessage.bind(tabs)
    tell(viewer)
    const follow = (seen: unknown) => {
      // Without a connection nobody signs in or out. The offline page is always rendered for a signed-out viewer, so
      // its viewer seems to differ.
      if (seen !== viewer && isOnline()) location.reload()
    }
    tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === LEAVING) holdCallsFor(LEAVING_MS)
      else follow(data)
    })
    const onShow = async ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      releaseCalls()
      follow(viewerOf(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })))
    }
    const shown = (event: PageTransitionEvent) => void onShow(event)
    window.addEventListener('pageshow', shown)
    return () => {
      tabs.close()
      window.removeEventListener('pageshow', shown)
    }
  }, [queries, viewer])
}

function viewerOf({ account, profile }: Session): string {
  return `${account?.id ?? ''}/${profile?.id ?? ''}`
}
