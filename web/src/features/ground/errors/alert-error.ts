import { ApiError } from '../../../api/api-error.ts'
import { CODES } from '../../../api/codes.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { describeError } from './describe-error.ts'

/** Shows an alert with the error of an action (spec 41, A8.1-01). Resolves when the viewer closes the alert. */
export async function alertError(error: unknown): Promise<void> {
  if (error instanceof ApiError) {
    if (error.code === CODES.accountSuspended) return await modal.open('suspended', {})
    // `ErrorWatch` opens the list of devices, so no alert is needed.
    if (error.code === CODES.tooManyDevices) return
  }
  const { t, exists } = pageWords()
  const { title, text, code } = describeError(error, t, exists)
  await modal.open('alert', { title, description: text, code: String(code) })
}
