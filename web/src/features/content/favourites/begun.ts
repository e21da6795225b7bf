import {
  activeAssets,
  contentData,
  homeContent,
  removeActiveAsset,
  restoreActiveAsset,
} from '@ondine/contract/catalogue'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { notify } from '../../ground/notices/notice.ts'

/**
 * Removes an asset from the profile's Continue watching, and offers undo (V4-49). The position in the asset is kept.
 *
 * @throws ApiError
 */
export async function removeBegun(
  queries: QueryClient,
  { idAsset, title }: { idAsset: number; title: string },
  t: TFunction,
): Promise<void> {
  await call(removeActiveAsset, { idAsset })
  leaveCard(idAsset)
  await refreshBegun(queries)
  notify({
    text: t('rail.begunRemoved', { title }),
    offer: {
      text: t('rail.undo'),
      act: async () => {
        await call(restoreActiveAsset, { idAsset })
        await refreshBegun(queries)
      },
    },
  })
}

/** Moves the focus from the card of a removed asset to a card beside it, or else to the screen. */
function leaveCard(idAsset: number): void {
  const item = document.activeElement?.closest('li')
  if (!item?.querySelector(`[data-begun="${idAsset}"]`)) return
  // A placeholder beside the card has no link.
  const target =
    item.nextElementSibling?.querySelector('a') ??
    item.previousElementSibling?.querySelector('a') ??
    document.querySelector('main')
  target?.focus({ preventScroll: target.matches('main') })
}

/** Fetches the begun titles on the screen again, with their pages and lists, and others when they are shown. */
export async function refreshBegun(queries: QueryClient): Promise<void> {
  const stale = [homeContent.name, activeAssets.name, contentData.name]
  await Promise.all(stale.map(async (name) => await queries.invalidateQueries({ queryKey: [name] })))
}
