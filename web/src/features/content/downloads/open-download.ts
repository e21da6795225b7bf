import type { OfflineLicence } from '@ondine/contract/downloads'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { askAsset } from './ask-asset.ts'
import { type Download, downloadKey, licenceStateOf, playedAt, seenAt, stateOf } from './download.ts'
import { failureOf } from './failure.ts'
import { activeProfile, changeDownload, deviceKey, findDownload } from './store.ts'
import { unseal } from './unseal.ts'

/**
 * Thrown for a download that cannot be played: it is missing on the device, its licence has expired, the clock was
 * set back, or the viewer did not enter the parental code.
 */
export class UnplayableDownload extends Error {
  override readonly name = 'UnplayableDownload'
  readonly reason: 'missing' | 'expired' | 'clock' | 'code'

  constructor(reason: UnplayableDownload['reason']) {
    super(`The download cannot be played: ${reason}`)
    this.reason = reason
  }
}

/**
 * A download that may be played now. `clearKey` contains the keys. It is null for clear media, and if the
 * decryption module has the keys (`kept` of the download).
 */
export interface PlayableDownload {
  download: Download
  clearKey: OfflineLicence['clearKey'] | null
}

/**
 * Opens the active profile's download of an asset. Needs no connection, unless the title needs the parental code.
 * The first play starts the playing time of the licence.
 *
 * @throws UnplayableDownload
 */
export async function openDownload(assetId: number): Promise<PlayableDownload> {
  const profileId = await activeProfile()
  const download = profileId === null ? undefined : await findDownload(downloadKey(profileId, assetId))
  if (download === undefined || stateOf(download) !== 'COMPLETED') throw new UnplayableDownload('missing')
  const licence = await readLicence(download)
  // The times in the sealed licence take precedence, because only the service can write them.
  const times = licence === null ? download.times : { ...download.times, ...pick(licence, download) }
  const now = Math.floor(deviceNow() / 1000)
  const state = licenceStateOf(times, now)
  if (state !== 'valid') {
    // A clock that is set back after this refusal does not make the download playable again.
    await changeDownload(download.key, (known) => ({ times: seenAt(known.times, now) }))
    throw new UnplayableDownload(state)
  }
  if (licence?.needsCode === true) await requireCode(download)
  await changeDownload(download.key, (known) => ({ times: playedAt({ ...known.times, ...times }, now) }))
  return { download, clearKey: licence?.clearKey ?? null }
}

/**
 * Asks for the parental code, which the service checks together with the right to the title.
 *
 * @throws UnplayableDownload without the code, or without a connection; ApiError if the service refuses
 */
async function requireCode(download: Download): Promise<void> {
  try {
    const answer = await withParentalCode(async (proof) => await askAsset(download, proof))
    if (answer !== null) return
  } catch (error) {
    if (failureOf(error) !== 'later') throw error
  }
  throw new UnplayableDownload('code')
}

async function readLicence({ licence }: Download): Promise<OfflineLicence | null> {
  // The service sealed this value, so its type is trusted.
  return licence && ((await unseal(await deviceKey(), licence)) as OfflineLicence)
}

function pick({ issuedAt, expiresAt, playSeconds }: OfflineLicence, { times }: Download) {
  // The licence was issued at this time, so a clock that shows an earlier time is wrong.
  return { expiresAt, playSeconds, latestAt: Math.max(times.latestAt, issuedAt) }
}
