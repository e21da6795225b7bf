import type { Configuration } from '@ondine/contract/configuration'
import { environment } from '../../../api/environment.ts'
import { modal } from '../../../modals/modal.ts'
import type { ItemContent } from '../../../modals/modal-kinds.ts'
import { shareAddress } from './share-address.ts'

/** Lets the viewer share the page at `path`, which shows `itemContent` (V3-46). */
export async function sharePage(
  { settings }: Pick<Configuration, 'settings'>,
  itemContent: ItemContent,
  path: string,
): Promise<void> {
  const shareUrl = shareAddress(path, { base: settings['share-url'], origin: environment().origin })
  await modal.open('share', { itemContent, shareUrl })
}
