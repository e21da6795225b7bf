import type { OfflineLicence } from '@ondine/contract/downloads'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { type Download, downloadKey, licenceStateOf, playedAt, stateOf } from './download.ts'
import { activeProfile, changeDownload, deviceKey, findDownload } from './store.ts'
import { unseal } from './unseal.ts'

/**
 * Thrown for a download that cannot be played: it is missing on the device, its licence has expired, or the clock was
 * set back.
 */
export class UnplayableDownload extends Error {
  override readonly name = 'UnplayableDownload'
  readonly reason: 'missing' | 'expired' | 'clock'

  constructor(reason: UnplayableDownload['reason']) {
    super(`The download cannot be played: ${reason}`)
    this.reason = reason
  }
}

/** A download that may be played now. `clearKey` has its keys; null for clear media. */
export interface PlayableDownload {
  download: Download
  clearKey: OfflineLicence['clearKey'] | null
}

/**
 * Opens the active profile's download of an asset, without a connection. The first play starts the playing time of its
 * licence.
 *
 * @throws UnplayableDownload
 */
export async function openDownload(assetId: number): Promise<PlayableDownload> {
  const profileId = await activeProfile()
  const download = profileId === null ? undefined : await findDownload(downloadKey(profileId, assetId))
  if (download === undefined || stateOf(download) !== 'COMPLETED') throw new UnplayableDownload('missing')
  const licence = await readLicence(download)
  // The times in the sealed licence count, because only the service can write them.
  const times = licence === null ? download.times : { ...download.times, ...pick(licence, download) }
  const now = Math.floor(deviceNow() / 1000)
  const state = licenceStateOf(times, now)
  if (state !== 'valid') throw new UnplayableDownload(state)
  await changeDownload(download.key, (known) => ({ times: playedAt({ ...known.times, ...times }, now) }))
  return { download, clearKey: licence?.clearKey ?? null }
}

async function readLicence({ licence }: Download): Promise<OfflineLicence | null> {
  // The service sealed this value, so its type is trusted.
  return licence && ((await unseal(await deviceKey(), licence)) as OfflineLicence)
}

function pick({ issuedAt, expiresAt, playSeconds }: OfflineLicence, { times }: Download) {
  // No clock is right that shows a time before the licence was issued.
  return { expiresAt, playSeconds, latestAt: Math.max(times.latestAt, issuedAt) }
}
