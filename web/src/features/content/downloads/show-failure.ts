import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import type { DownloadFailure } from './download.ts'
import { failureOf } from './failure.ts'

/** Shows the reason why an action of the viewer on a download failed. */
export async function explain(error: unknown, title: string): Promise<void> {
  const failure = failureOf(error)
  if (failure === 'unknown') reportFault(error)
  await showFailure(title, failure === 'later' ? 'unknown' : failure)
}

/** Shows that a download failed (A8.3-14). */
export async function showFailure(title: string, failure: DownloadFailure): Promise<void> {
  const { t } = pageWords()
  await modal.free()
  await modal.open('alert', {
    title: t('downloads.failedTitle'),
    description: t(`downloads.failed-${failure}`, { title }),
  })
}
