import type { SortOption } from '@ondine/contract/catalogue'
import { ACCOUNTS } from '@ondine/contract/constants'
import type { QueryClient } from '@tanstack/react-query'
import { environment } from '../../api/environment.ts'
import { sortCookie } from '../../api/page-context.ts'
import { sessionQuery } from '../accounts/session.ts'
import { configurationOf } from '../configuration/configuration-query.ts'

/** The orders that a viewer can choose, as the list of choices has them (V3-54). */
export const SORT_CHOICES = ['none', 'publication-date', 'ascendant', 'descendant', 'random'] as const

const DAY_SECONDS = 86_400

/** The order that the viewer chose last, else the operator's (V3-54); and the random order of this visit. */
export function chosenOrder(queryClient: QueryClient): { sort: SortOption; shuffle: number } {
  const { sorts, shuffle } = environment()
  const profile = queryClient.getQueryData(sessionQuery.queryKey)?.profile
  const sort = sorts[sortCookie(profile?.id ?? null)]
  return { sort: sort ?? configurationOf(queryClient).catalogue.categorySort, shuffle }
}

/** Keeps a choice for this profile, or for whoever is not signed in, as long as other states of the interface. */
export function rememberSort(sort: SortOption, profileId: number | null): void {
  const seconds = ACCOUNTS.stateCookieDays * DAY_SECONDS
  document.cookie = `${sortCookie(profileId)}=${sort}; path=/; max-age=${seconds}; samesite=lax`
}
