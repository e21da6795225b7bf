import type { SortOption } from '@ondine/contract/catalogue'
import { ACCOUNTS } from '@ondine/contract/constants'
import type { QueryClient } from '@tanstack/react-query'
import { environment } from '../../../api/environment.ts'
import { keep } from '../../../api/kept.ts'
import { SORT_COOKIE } from '../../../api/page-context.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { prefer, preferencesOf } from '../../people/profiles/preferences.ts'

/** The orders that a viewer can choose for a list, as the select shows them from top to bottom (V3-54). */
export const SORT_CHOICES = ['none', 'publication-date', 'ascendant', 'descendant', 'random'] as const

const DAY_SECONDS = 86_400

/**
 * Returns the order that the viewer chose last, or else the order that the operator configured (V3-54, A3-10).
 * `shuffle` is the seed of this visit's random order.
 */
export function chosenOrder(queryClient: QueryClient): { sort: SortOption; shuffle: number } {
  const { sort, shuffle } = environment()
  const profile = queryClient.getQueryData(sessionQuery.queryKey)?.profile
  const chosen = profile ? preferencesOf(queryClient).categorySortingOption : sort
  return { sort: chosen ?? configurationOf(queryClient).catalogue.categorySort, shuffle }
}

/**
 * Stores the order that the viewer chose: with the active profile, or for a signed-out viewer in a cookie. The cookie
 * lasts as long as other cookies of the interface.
 */
export async function rememberSort(queryClient: QueryClient, sort: SortOption): Promise<void> {
  const profile = queryClient.getQueryData(sessionQuery.queryKey)?.profile
  if (profile) {
    await prefer(queryClient, { categorySortingOption: sort })
    return
  }
  keep(SORT_COOKIE, sort, ACCOUNTS.stateCookieDays * DAY_SECONDS)
}
