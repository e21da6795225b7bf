import { activeAssets } from '@ondine/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { query } from '../api/query.ts'
import { useSession } from '../features/accounts/session.ts'
import { useScreen } from './use-screen.ts'

/** The rented films and episodes of who is watching (V4-03, A7.3). */
export const rentedAssetsQuery = query(activeAssets, {
  allAssets: 0,
  commercialModel: 'TVOD',
  contentTypeFilter: 'movie,episode',
  watchingMin: 0,
  watchingMax: 100,
})

/** Whether the start is over: the last of it loads what the profile has rented (V4-03). A visitor has rented nothing. */
export function useStarted(): boolean {
  const { profile } = useSession()
  const { isPending } = useQuery({ ...rentedAssetsQuery, enabled: profile !== null })
  return profile === null || !isPending
}

/** Another profile begins at home (A4.6). The one that a sign-in begins with goes on to the page asked for. */
export function useProfileLeadsHome(): void {
  const { profile } = useSession()
  const navigate = useNavigate()
  const screen = useScreen()
  const id = profile?.id
  const before = useRef(id)
  useEffect(() => {
    const another = before.current !== undefined && id !== undefined && before.current !== id
    before.current = id
    if (another && screen !== 'home') void navigate({ to: '/' })
  }, [id, screen, navigate])
}
