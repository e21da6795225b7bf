import { PLAYER } from '@ondine/contract/constants'
import type { downloadAsset } from '@ondine/contract/downloads'
import type { Language } from '@ondine/contract/languages'
import type { OutputOf } from '@ondine/contract/operation'
import { modal } from '../../../modals/modal.ts'
import type { DownloadChoice, ItemContent } from '../../../modals/modal-kinds.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { languageTitle } from '../../../words/format.ts'
import { sizeText } from '../../../words/size.ts'
import { downloadFiles } from './chosen-files.ts'

type Choices = Pick<OutputOf<typeof downloadAsset>, 'qualities' | 'languages' | 'availableLanguages'>

/**
 * Asks for the quality and the languages of a download. Shows the space that each quality needs, and the free
 * space. The best quality and the languages of the service's answer are preselected. Does not ask if the title has
 * only one choice.
 *
 * @param wanted the languages of the viewer. Without a question, they are the choice, because other episodes of the
 * same season may have them
 * @returns null if the viewer cancelled
 */
export async function chooseDownload(
  itemContent: ItemContent,
  { qualities, languages, availableLanguages }: Choices,
  wanted: DownloadChoice['languages'],
  language: Language,
): Promise<DownloadChoice | null> {
  const { audio, subtitle } = availableLanguages
  if (qualities.length <= 1 && audio.length <= 1 && subtitle.length === 0) {
    return { height: undefined, languages: wanted }
  }
  const { t } = pageWords()
  const left = await downloadFiles().bytesLeft()
  const option = (id: string) => ({ id, title: languageTitle(id, language) })
  return await modal.open('chooseDownload', {
    ...(left !== undefined && { description: t('downloads.left', { left: sizeText(left, language) }) }),
    itemContent,
    qualities: qualities.map(({ height, bytes }, index) => ({
      height,
      text: t(index === 0 ? 'downloads.bestQuality' : 'downloads.quality', { height }),
      note: sizeText(bytes, language),
    })),
    audio: audio.map(option),
    subtitles: [{ id: PLAYER.downloadSubtitle, title: t('downloads.noSubtitles') }, ...subtitle.map(option)],
    choice: { height: qualities[0]?.height, languages },
  })
}
