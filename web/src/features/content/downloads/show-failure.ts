import { languageTag } from '@ondine/contract/languages'
import { environment } from '../../../api/environment.ts'
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
  await alert(pageWords().t(`downloads.failed-${failure}`, { title }))
}

/** Shows which titles of several the service refused. */
export async function showRefused(titles: readonly string[]): Promise<void> {
  const [title = ''] = titles
  if (titles.length === 1) return await showFailure(title, 'refused')
  const { t } = pageWords()
  const list = new Intl.ListFormat(languageTag(environment().language))
  const quoted = titles.map((each) => t('downloads.quoted', { title: each }))
  await alert(t('downloads.failed-several', { titles: list.format(quoted) }))
}

async function alert(description: string): Promise<void> {
  await modal.free()
  await modal.open('alert', { title: pageWords().t('downloads.failedTitle'), description })
}
