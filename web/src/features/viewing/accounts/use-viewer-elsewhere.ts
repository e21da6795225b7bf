import type { Session } from '@ondine/contract/accounts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { areCallsHeld, holdCallsFor, releaseCalls } from '../../../api/session-end.ts'
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
  useEffect(() => followTabs(queries, viewer), [queries, viewer])
}

/**
 * Tells the other tabs which viewer uses this page, and reacts to their messages as {@link useViewerElsewhere}
 * describes. Returns a function that stops this.
 *
 * @param viewer the account and the profile of this page
 */
export function followTabs(queries: QueryClient, viewer: string): () => void {
  const tabs = viewerTabs()
  const tell = tabs?.postMessage.bind(tabs)
  tell?.(viewer)
  let isFollowing = true
  let isUnanswered = false
  const check = async () => {
    try {
      const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      isUnanswered = false
      if (isFollowing && viewerOf(session) !== viewer) location.reload()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Asks again when the viewer comes back to this page.
      isUnanswered = true
    }
  }
  const onReturn = () => {
    if (isUnanswered) void check()
  }
  window.addEventListener('focus', onReturn)
  window.addEventListener('online', onReturn)
  tabs?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === LEAVING) holdCallsFor(LEAVING_MS)
    else if (data === viewer) return
    // The sign-out has happened. This page's calls are held until it reloads.
    else if (areCallsHeld()) location.reload()
    // Asks the service, because the offline page always has a signed-out viewer. The offline page also opens on
    // a device that reports a connection, for example while the service restarts.
    else void check()
  })
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    releaseCalls()
    void check()
  }
  window.addEventListener('pageshow', onShow)
  return () => {
    isFollowing = false
    tabs?.close()
    window.removeEventListener('pageshow', onShow)
    window.removeEventListener('focus', onReturn)
    window.removeEventListener('online', onReturn)
  }
}

function viewerOf({ account, profile }: Session): string {
  return `${account?.id ?? ''}/${profile?.id ?? ''}`
}
