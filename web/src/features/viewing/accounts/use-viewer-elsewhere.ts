import type { Session } from '@ondine/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { environment } from '../../../api/environment.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/**
 * Reloads this page when someone signs in, signs out or changes the profile in another tab, so that nobody sees data of
 * the previous viewer. When the browser restores the page from its back/forward cache, the page checks the viewer too.
 */
export function useViewerElsewhere(session: Session): void {
  const queries = useQueryClient()
  const viewer = viewerOf(session)
  useEffect(() => {
    // Each storefront has viewers of its own, so its pages use a channel of their own.
    const tabs = new BroadcastChannel(`viewer ${environment().identityKey}`)
    const tell = tabs.postMessage.bind(tabs)
    tell(viewer)
    const follow = (seen: unknown) => {
      if (seen !== viewer) location.reload()
    }
    tabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => follow(data))
    const onShow = async ({ persisted }: PageTransitionEvent) => {
      if (persisted) follow(viewerOf(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })))
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
