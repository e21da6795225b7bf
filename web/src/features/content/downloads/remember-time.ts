import { deviceNow } from '../../ground/clock/device-clock.ts'
import { seenAt } from './download.ts'
import { changeDownload } from './store.ts'

/**
 * Stores the current time with a download that a list shows. An end of its licence that was shown then stays an end,
 * even if the device's clock is set back.
 */
export async function rememberTime(key: string): Promise<void> {
  const now = Math.floor(deviceNow() / 1000)
  await changeDownload(key, ({ times }) => ({ times: seenAt(times, now) }))
}
