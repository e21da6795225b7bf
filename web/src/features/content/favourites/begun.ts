import {
  activeAssets,
  contentData,
  homeContent,
  removeActiveAsset,
  restoreActiveAsset,
} from '@ondine/contract/catalogue'
import { changeRecording, listRecordings } from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { call } from '../../../api/call.ts'
import { notify } from '../../ground/notices/notice.ts'
import { cardKey, leaveCard } from './leave-card.ts'

/** An item of Continue watching, with the title that messages about it contain. */
export type Begun = { title: string } & ({ idAsset: number } | { idRecording: number })

/**
 * Removes an item from the profile's Continue watching, and offers undo (V4-49). The position in the item is kept.
 *
 * @throws ApiError
 */
export async function removeBegun(queries: QueryClient, begun: Begun, t: TFunction): Promise<void> {
  const { title } = begun
  await list(begun, false)
  leaveCard(cardKey(begun))
  await refreshBegun(queries)
  notify({
    text: t('rail.begunRemoved', { title }),
    offer: {
      text: t('rail.undo'),
      act: async () => {
        await list(begun, true)
        await refreshBegun(queries)
      },
    },
  })
}

/** Adds an item to Continue watching, or removes it. */
async function list(begun: Begun, isBegun: boolean): Promise<void> {
  if ('idRecording' in begun) await call(changeRecording, { id: begun.idRecording, isBegun })
  else await call(isBegun ? restoreActiveAsset : removeActiveAsset, { idAsset: begun.idAsset })
}

/**
 * Fetches the begun titles and recordings on the screen again, with their pages and lists, and others when they are
 * shown.
 */
export async function refreshBegun(queries: QueryClient): Promise<void> {
  const stale = [homeContent.name, activeAssets.name, contentData.name, listRecordings.name]
  await Promise.all(stale.map(async (name) => await queries.invalidateQueries({ queryKey: [name] })))
}
