import type { Screen, ScreenState } from '@ondine/contract/casting'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { tabStorage } from '../../ground/platform/device-storage.ts'
import { useSession } from '../../ground/session/session.ts'
import { isControllable } from './cast-target.ts'
import { followScreens } from './own-screens.ts'
import { screensQuery } from './screens-query.ts'
import { hasConnected } from './use-account-screens.ts'

/** A screen that plays content which the viewer can control. */
export type PlayingScreen = Screen & { state: ScreenState }

/** Returns whether a screen other than this device plays content that the viewer may see. */
export function isPlaying(screen: Screen): screen is PlayingScreen {
  const { current, isConnected, state } = screen
  return !current && isConnected && state !== null && isControllable(state)
}

/**
 * Keeps `screens` up to date while a screen is switched on, or while this browser is connected to one. Most pages need
 * no connection.
 */
export function useScreenChanges(screens: readonly Screen[], isConnected: boolean): void {
  const queries = useQueryClient()
  const idProfile = useSession().profile?.id
  const follows = isConnected || hasConnected(screens)
  useEffect(() => {
    if (!follows) return undefined
    return followScreens((next) => queries.setQueryData(screensQuery(idProfile).queryKey, [...next]))
  }, [follows, queries, idProfile])
}

/** Key in the session storage. The value is the id of the screen that the viewer has hidden in this tab. */
const HIDDEN_KEY = 'ondine.cast.hidden'

/**
 * Returns a screen that plays, and a function that hides it in this tab until it has stopped. Undefined if no screen
 * plays.
 */
export function useRunningCast(
  screens: readonly Screen[],
): { screen: PlayingScreen; hide: () => void } | undefined {
  const [hidden, setHidden] = useState(() => tabStorage.getItem(HIDDEN_KEY))
  const hasStopped = screens.some((each) => String(each.casDeviceId) === hidden && !isPlaying(each))
  if (hasStopped) setHidden(null)
  useEffect(() => {
    if (hidden === null) tabStorage.removeItem(HIDDEN_KEY)
    else tabStorage.setItem(HIDDEN_KEY, hidden)
  }, [hidden])
  const screen = screens.filter(isPlaying).find(({ casDeviceId }) => String(casDeviceId) !== hidden)
  if (screen === undefined) return undefined
  return { screen, hide: () => setHidden(String(screen.casDeviceId)) }
}
