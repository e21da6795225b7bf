import type { downloadAsset } from '@ondine/contract/downloads'
import type { Language } from '@ondine/contract/languages'
import type { OutputOf } from '@ondine/contract/operation'
import { modal } from '../../../modals/modal.ts'
import type { ItemContent } from '../../../modals/modal-kinds.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { sizeText } from '../../../words/size.ts'
import { bytesLeft } from './bytes-left.ts'

type Quality = OutputOf<typeof downloadAsset>['qualities'][number]

/**
 * Asks for the quality of a download, and shows the space that each quality needs and the space that is left. A title
 * with a single quality or without video needs no choice.
 *
 * @returns the height in lines, which is undefined without video; null if the viewer cancelled
 */
export async function chooseQuality(
  itemContent: ItemContent,
  qualities: readonly Quality[],
  language: Language,
): Promise<{ height: number | undefined } | null> {
  if (qualities.length <= 1) return { height: qualities[0]?.height }
  const { t } = pageWords()
  const left = await bytesLeft()
  const chosen = await modal.open('actions', {
    title: t('downloads.downloadOf', { title: itemContent.title }),
    ...(left !== undefined && { description: t('downloads.left', { left: sizeText(left, language) }) }),
    itemContent,
    actions: qualities.map(({ height, bytes }, index) => ({
      text: t(index === 0 ? 'downloads.bestQuality' : 'downloads.quality', { height }),
      note: sizeText(bytes, language),
      icon: 'download',
    })),
  })
  return chosen === null ? null : { height: qualities[chosen]?.height }
}
