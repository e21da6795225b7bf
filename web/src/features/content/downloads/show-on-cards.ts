import { pageWords } from '../../../words/fetch-words.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { type CardNote, showOnCards } from '../catalogue/card-notes.ts'
import { followDownloads } from './changes.ts'
import { type Download, isRunning, stateOf } from './download.ts'
import { listDownloads } from './store.ts'

let unfollow: (() => void) | undefined

/**
 * Shows the progress of a profile's downloads in progress on the cards of their titles, from now on. Replaces the
 * progress that cards show for another profile.
 */
export function showDownloadsOnCards(profileId: number | null): void {
  const show = () => void update(profileId).catch(reportFault)
  unfollow?.()
  unfollow = followDownloads(show)
  show()
}

async function update(profileId: number | null): Promise<void> {
  const own = (await listDownloads()).filter((download) => download.profileId === profileId)
  const running = own.filter((download) => isRunning(stateOf(download)))
  showOnCards(new Map(running.map((download) => [download.assetId, noteOf(download)])))
}

function noteOf(download: Download): CardNote {
  const { t } = pageWords()
  const state = stateOf(download)
  const percent = download.downloadProgress.percentDownloaded
  const text = t(`downloads.button-${state}`, { percent })
  const label = t(`downloads.state-${state}`, { percent })
  return { tags: [{ tone: 'preparing', text, label }], progress: percent / 100 }
}
