import { encodeInput } from '@ondine/contract/encode-input'
import type { Envelope } from '@ondine/contract/operation'
import { heartbeat } from '@ondine/contract/playback'
import { ApiError } from '../../api/api-error.ts'
import { environment } from '../../api/environment.ts'
import type { Heartbeat } from './reporter.ts'

/**
 * Sends a heartbeat. The browser delivers it even if the page closes in the meantime, which happens with the last
 * heartbeat. A missing answer is not an error, because another heartbeat follows.
 *
 * @throws ApiError if the service refuses the playback session
 */
export async function sendHeartbeat({ onAcknowledged, ...beat }: Heartbeat): Promise<void> {
  const { language, identityKey } = environment()
  const response = await fetch(heartbeat.path, {
    method: heartbeat.method,
    keepalive: true,
    headers: { accept: 'application/json', 'x-identity-key': identityKey },
    body: new URLSearchParams(encodeInput({ ...beat, languageId: language })),
  }).catch(() => undefined)
  if (response === undefined || response.status >= 500) return
  if (response.ok) {
    onAcknowledged()
    return
  }
  const answer: Envelope<unknown> | undefined = await response.json().catch(() => undefined)
  if (answer?.status === false) throw new ApiError({ ...answer.error, status: response.status })
}
