import { deviceNow } from '../../ground/clock/device-clock.ts'
import { seenAt } from './download.ts'
import { changeDownload } from './store.ts'

/**
 * Stores the current time with a download that a list shows. If the list has shown that the licence has ended, the
 * licence then stays ended, even if the device's clock is set back.
 */
export async function rememberTime(key: string): Promise<void> {
  const now = Math.floor(deviceNow() / 1000)
  await changeDownload(key, ({ times }) => ({ times: seenAt(times, now) }))
}
