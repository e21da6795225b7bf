import type { Screen } from '@ondine/contract/casting'
import { useQuery } from '@tanstack/react-query'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useSession } from '../../ground/session/session.ts'
import { isScreen } from '../../people/devices/paired-screen.ts'
import { screensQuery } from './screens-query.ts'

/** Interval at which a page asks whether a screen has been switched on, in milliseconds. */
const ASK_MS = 60_000

/**
 * Returns the other screens of the account; none on a paired television, and none if casting is switched off. Asks the
 * service once for each page, and again only if the account has screens that are switched off. While a screen is
 * switched on, {@link followScreens} has the changes.
 */
export function useAccountScreens(): readonly Screen[] {
  const { isCastEnabled } = useConfiguration().player
  const { profile } = useSession()
  const { data = [] } = useQuery({
    ...screensQuery(profile?.id),
    enabled: isCastEnabled && profile !== null && !isScreen(),
    staleTime: ASK_MS,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      othersOf(state.data ?? []).length > 0 && !hasConnected(state.data ?? []) && ASK_MS,
  })
  return othersOf(data)
}

/** Returns whether one of the screens is switched on, and is not this device. */
export function hasConnected(screens: readonly Screen[]): boolean {
  return othersOf(screens).some(({ isConnected }) => isConnected)
}

function othersOf(screens: readonly Screen[]): readonly Screen[] {
  return screens.filter(({ current }) => !current)
}
