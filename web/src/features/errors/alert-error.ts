import { ApiError } from '../../api/api-error.ts'
import { CODES } from '../../api/codes.ts'
import { modal } from '../../modals/modal.ts'
import { pageWords } from '../../words/fetch-words.ts'
import { describeError } from './describe-error.ts'

/** Says in an alert what an action failed with (decision 41, A8.1-01). Resolves when it was read. */
export async function alertError(error: unknown): Promise<void> {
  if (error instanceof ApiError) {
    if (error.code === CODES.accountSuspended) return await modal.open('suspended', {})
    // The device management has opened by itself.
    if (error.code === CODES.tooManyDevices) return
  }
  const { t, exists } = pageWords()
  const { title, text, code } = describeError(error, t, exists)
  await modal.open('alert', { title, description: text, code: String(code) })
}
