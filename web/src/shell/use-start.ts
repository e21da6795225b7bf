import { activeAssets } from '@ondine/contract/catalogue'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { query } from '../api/query.ts'
import { useSession } from '../features/ground/session/session.ts'
import { useScreen } from './use-screen.ts'

/** The films and episodes that the active profile has rented (V4-03, A7.3). */
const rentedAssetsQuery = query(activeAssets, {
  allAssets: 0,
  commercialModel: 'TVOD',
  contentTypeFilter: 'movie,episode',
  watchingMin: 0,
  watchingMax: 100,
})

/**
 * Returns whether the start is complete. The last step loads the profile's rentals (V4-03). If nobody is signed in,
 * this step is omitted.
 */
export function useStarted(): boolean {
  const { profile } = useSession()
  const { isPending } = useQuery({ ...rentedAssetsQuery, enabled: profile !== null })
  return profile === null || !isPending
}

/**
 * Goes home when another profile becomes active (A4.6). Does nothing for the first profile after a sign-in, because
 * the sign-in itself leads to the requested page.
 */
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
