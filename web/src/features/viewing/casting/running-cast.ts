import type { Screen, ScreenState } from '@ondine/contract/casting'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { tabStorage } from '../../ground/platform/device-storage.ts'
import { useSession } from '../../ground/session/session.ts'
import { type StoppedScreen, useStoppedScreen } from './cast-session.ts'
import { isControllable } from './cast-target.ts'
import { followScreens } from './own-screens.ts'
import { screensQuery } from './screens-query.ts'
import { hasConnected } from './use-account-screens.ts'

/** A screen that plays content which the viewer can control. */
export type PlayingScreen = Screen & { state: ScreenState }

/**
 * Returns whether a screen other than this device plays content that the viewer may see. Content has no title until the
 * screen has opened it.
 */
export function isPlaying(screen: Screen): screen is PlayingScreen {
  const { current, isConnected, state } = screen
  return !current && isConnected && state !== null && state.title !== '' && isControllable(state)
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

/** Key in the session storage. The value is a JSON list of the ids of the screens that are hidden in this tab. */
const HIDDEN_KEY = 'ondine.cast.hidden'

/**
 * After a stop, a screen is not offered again until it has reported a state that is this much later, in milliseconds.
 * Until then, the reported state may be from before the stop.
 */
const STOP_MS = 5000

/**
 * Returns a screen that plays, and a function that hides it in this tab until it has stopped. Undefined if no screen
 * plays.
 */
export function useRunningCast(
  screens: readonly Screen[],
): { screen: PlayingScreen; hide: () => void } | undefined {
  const [hidden, setHidden] = useState(readHidden)
  const stopped = useStoppedScreen()
  const stillHidden = hidden.filter(
    (id) => !screens.some((each) => each.casDeviceId === id && hasStopped(each)),
  )
  if (stillHidden.length < hidden.length) setHidden(stillHidden)
  useEffect(() => {
    if (hidden.length === 0) tabStorage.removeItem(HIDDEN_KEY)
    else tabStorage.setItem(HIDDEN_KEY, JSON.stringify(hidden))
  }, [hidden])
  const screen = screens
    .filter(isPlaying)
    .find((each) => !hidden.includes(each.casDeviceId) && !isStopping(each, stopped))
  if (screen === undefined) return undefined
  return { screen, hide: () => setHidden((before) => [...before, screen.casDeviceId]) }
}

function readHidden(): readonly number[] {
  try {
    const read: unknown = JSON.parse(tabStorage.getItem(HIDDEN_KEY) ?? '[]')
    return Array.isArray(read) ? read.filter((each) => Number.isSafeInteger(each)) : []
  } catch {
    // The stored text may be invalid.
    return []
  }
}

/** Returns whether a screen has reported that its content has stopped. A screen without a connection may still play. */
function hasStopped({ isConnected, state }: Screen): boolean {
  return isConnected && (state === null || !isControllable(state))
}

/** Returns whether a screen has not yet reported that this browser has stopped its content. */
function isStopping({ casDeviceId, state }: PlayingScreen, stopped: StoppedScreen | undefined): boolean {
  return stopped?.id === String(casDeviceId) && state.at < stopped.at + STOP_MS
}
