import { changeRecording } from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { cardKey, leaveCard } from '../../content/favourites/leave-card.ts'
import { notify } from '../../ground/notices/notice.ts'
import { refreshRecordings } from './recordings-query.ts'

/**
 * Adds a recording to the profile's favourites, or removes it.
 *
 * @throws ApiError
 */
export async function changeFavourite(queries: QueryClient, id: number, isFavorite: boolean): Promise<void> {
  try {
    await call(changeRecording, { id, isFavorite })
  } finally {
    await refreshRecordings(queries)
  }
}

/**
 * Removes a recording from the profile's favourites, moves the focus away from its card, and offers undo.
 *
 * @throws ApiError
 */
export async function removeFavourite(
  queries: QueryClient,
  { id, title }: { id: number; title: string },
  t: TFunction,
): Promise<void> {
  await call(changeRecording, { id, isFavorite: false })
  leaveCard(cardKey({ idRecording: id }))
  await refreshRecordings(queries)
  notify({
    text: t('favourites.removed', { title }),
    offer: { text: t('rail.undo'), act: async () => await changeFavourite(queries, id, true) },
  })
}
