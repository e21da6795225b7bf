import type { Session } from '@ondine/contract/accounts'
import type {
  DownloadFolder,
  DownloadState,
  LicenceSource,
  OfflineLicence,
  Sealed,
} from '@ondine/contract/downloads'
import type { Asset } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import type { listAssetTags } from '@ondine/contract/playback'

/** The reason why a download failed. */
export type DownloadFailure =
  /** The device has too little free space. */
  | 'full'
  /** The service refused the download, or no longer has its files. */
  | 'refused'
  /** The account has reached its limit of downloaded titles, or of devices with downloads. */
  | 'titles'
  | 'devices'
  /** A field of the service's answer is missing or unknown (A8.3-17). */
  | 'setup'
  /** This browser cannot store licences of the title's DRM provider. */
  | 'unsupported'
  | 'unknown'

/** A persistent licence in the decryption module of this device (W3C Encrypted Media Extensions). */
export interface KeptLicence {
  keySystem: 'com.widevine.alpha' | 'com.apple.fps'
  /** Id of the media key session (EME) that has the licence. */
  sessionId: string
  /** Initialisation data of the media in base64: a `pssh` box, or for FairPlay the box `sinf` in JSON. */
  initData: string
  robustness?: LicenceSource['robustness']
  /** The application certificate of FairPlay, in base64. */
  certificate?: string
}

/** The place of an episode in its series. */
interface Episode {
  /** The series' category id. */
  serieId: number
  season: number
  number: number
  /** Number of the last episode, if the asset contains several. */
  last?: number | undefined
}

/** Id and name of an account. */
export type AccountHolder = Pick<NonNullable<Session['account']>, 'id' | 'firstName' | 'lastName'>

/** A download of a profile (A3-33), with everything that is needed to show and play it without a connection. */
export interface Download {
  /** Profile and asset, `{profileId}-{assetId}`. */
  key: string
  accountId: number
  /** The name in the account, for the watermark (V3-41). Omitted in older records. */
  accountName?: Omit<AccountHolder, 'id'> | undefined
  profileId: number
  assetId: number
  state: DownloadState
  downloadProgress: { percentDownloaded: number }
  failure: DownloadFailure | null
  title: string
  /** For example the series and the number of the episode; may be empty. */
  subtitle: string
  durationSeconds: number
  /** Expected size of all files. */
  bytes: number
  /** Largest height of the video, in lines. */
  height: number | undefined
  folders: readonly DownloadFolder[]
  languages: { audio: string; subtitle: string }
  /** Null for clear media. */
  licence: Sealed | null
  /** The licence of a DRM provider, with the keys. If undefined, the keys are in `licence`. */
  kept?: KeptLicence | undefined
  /** Omitted for a title that is no episode, or has no number. */
  episode?: Episode | undefined
  /**
   * Asset of the next episode, in this season or the next one; null if the series had no further episode at the
   * preparation. Undefined if it is unknown.
   */
  nextAssetId?: number | null | undefined
  /** The intro, the credits and the chapters. Undefined if they are unknown. */
  tags?: OutputOf<typeof listAssetTags> | undefined
  /** When the viewer requested the download, in seconds since the Unix epoch. The queue follows this order. */
  addedAt: number
  times: LicenceTimes
  /** Where the viewer stopped watching, in seconds. Undefined before the first play. */
  position?: number | undefined
  /**
   * When the viewer stopped there, by the device's clock, in seconds since the Unix epoch. Undefined if the service
   * knows the position.
   */
  unsentSince?: number | undefined
}

/** The times of a licence. Moments are in seconds since the Unix epoch, durations in seconds. */
export interface LicenceTimes extends Pick<OfflineLicence, 'expiresAt' | 'playSeconds'> {
  /** Null before the first play. */
  firstPlayedAt: number | null
  /**
   * The latest time seen so far, by the service's clock. If the clock shows an earlier time, somebody has set it
   * back.
   */
  latestAt: number
  /** When the service last confirmed the right, by its own clock. Undefined before the first check. */
  confirmedAt?: number | undefined
  /** How far the service's clock was ahead of the device's clock when both were last compared. */
  aheadSeconds: number
}

/** Returns the key of a profile's download. */
export function downloadKey(profileId: number, assetId: number): string {
  return `${profileId}-${assetId}`
}

/** Returns whether two downloads share a licence. An account has one licence for each title on a device. */
export function haveOneLicence(one: LicenceHolder, other: LicenceHolder): boolean {
  return one.accountId === other.accountId && one.assetId === other.assetId
}

type LicenceHolder = Pick<Download, 'accountId' | 'assetId'>

const STATES: ReadonlySet<string> = new Set<DownloadState>([
  'QUEUED',
  'STOPPED',
  'DOWNLOADING',
  'COMPLETED',
  'FAILED',
  'REMOVING',
  'RESTARTING',
])

/** Returns the state of a download. A completed download with 0 percent counts as failed (A4.2-06). */
export function stateOf({
  state,
  downloadProgress,
}: Pick<Download, 'state' | 'downloadProgress'>): DownloadState {
  if (!STATES.has(state)) return 'UNKNOWN'
  return state === 'COMPLETED' && downloadProgress.percentDownloaded === 0 ? 'FAILED' : state
}

/** States in which a viewer can resume a download. */
const RESUMABLE: ReadonlySet<DownloadState> = new Set(['STOPPED', 'FAILED', 'UNKNOWN'])

/** Returns whether a viewer can resume a download in this state. */
export function isResumable(state: DownloadState): boolean {
  return RESUMABLE.has(state)
}

/** States of a download that has files left to fetch. */
const RUNNING: ReadonlySet<DownloadState> = new Set(['QUEUED', 'DOWNLOADING', 'RESTARTING'])

/** Returns whether a download in this state still has files to fetch. */
export function isRunning(state: DownloadState): boolean {
  return RUNNING.has(state)
}

/** Returns how many bytes the queue has left to fetch, without the download that has the key `exceptKey`. */
export function bytesQueued(downloads: readonly Download[], exceptKey: string): number {
  return downloads
    .filter(({ key, state }) => key !== exceptKey && isRunning(state))
    .reduce(
      (sum, { bytes, downloadProgress }) => sum + (bytes * (100 - downloadProgress.percentDownloaded)) / 100,
      0,
    )
}

/**
 * Returns the downloads of a profile that a list shows, newest first. Offline, only completed downloads are shown
 * (A2.4-02).
 */
export function shownDownloads(
  downloads: readonly Download[],
  profileId: number | null,
  isOnline: boolean,
): Download[] {
  return downloads
    .filter((download) => download.profileId === profileId)
    .filter((download) => isOnline || stateOf(download) === 'COMPLETED')
    .toSorted((one, other) => other.addedAt - one.addedAt)
}

/** Returns the place of an asset in its series; undefined if it is no episode, or has no number. */
export function episodeOf({
  serieId,
  directMetadata,
}: Pick<Asset, 'serieId' | 'directMetadata'>): Episode | undefined {
  const { AD_SERIESEA: season, AD_SERIESEP: number, AD_SERIESEPEND: last } = directMetadata
  if (serieId < 0 || season === undefined || number === undefined) return undefined
  return {
    serieId,
    season: Number(season),
    number: Number(number),
    ...(last !== undefined && { last: Number(last) }),
  }
}

/**
 * Returns the next episode of the same series that the profile has downloaded (V4-46). Undefined if that next
 * episode is not downloaded, or cannot be played at `deviceNow`, in seconds since the Unix epoch: the viewer would not expect a
 * later one.
 */
export function nextEpisode(
  downloads: readonly Download[],
  { profileId, episode: current, nextAssetId }: Pick<Download, 'profileId' | 'episode' | 'nextAssetId'>,
  deviceNow: number,
): (Download & { episode: Episode }) | undefined {
  if (current === undefined) return undefined
  const { serieId, season, number, last = number } = current
  const ofSeries = downloads.flatMap((download) => {
    const { episode } = download
    return download.profileId === profileId && episode?.serieId === serieId ? [{ ...download, episode }] : []
  })
  const next = ofSeries.find(({ assetId, episode }) =>
    nextAssetId == null
      ? // Without the end of the season, an episode of the next season may not be the next one.
        episode.season === season && episode.number === last + 1
      : assetId === nextAssetId,
  )
  const isPlayable =
    next !== undefined && stateOf(next) === 'COMPLETED' && licenceStateOf(next.times, deviceNow) === 'valid'
  return isPlayable ? next : undefined
}

/** Tolerance for small corrections of a clock. */
const TOLERANCE_SECONDS = 300

/**
 * Returns whether a licence may be used at `deviceNow`, in seconds since the Unix epoch: `expired` after its end,
 * `clock` if the device's clock was set back to prolong the licence.
 */
export function licenceStateOf(times: LicenceTimes, deviceNow: number): 'valid' | 'expired' | 'clock' {
  const now = deviceNow + times.aheadSeconds
  if (now < times.latestAt - TOLERANCE_SECONDS) return 'clock'
  return now < licenceEnd(times) ? 'valid' : 'expired'
}

/** Returns when a licence ends: at its expiry, or some hours after the first play. Seconds since the Unix epoch. */
export function licenceEnd({ expiresAt, playSeconds, firstPlayedAt }: LicenceTimes): number {
  return firstPlayedAt === null ? expiresAt : Math.min(expiresAt, firstPlayedAt + playSeconds)
}

/**
 * Time for which a download stays on the device after its licence has ended, in seconds. Until then, the viewer
 * can renew the licence.
 */
const KEPT_SECONDS = 30 * 86_400

/** The profiles of the signed-in account. */
export interface AccountProfiles {
  accountId: number
  profileIds: ReadonlySet<number>
}

/**
 * Returns whether nobody will watch a download again: its licence ended 30 days ago, or its profile was deleted.
 *
 * @param signedIn undefined for a signed-out viewer, or if the profiles could not be fetched
 * @param now seconds since the Unix epoch
 */
export function isOrphaned(
  { accountId, profileId, times }: Pick<Download, 'accountId' | 'profileId' | 'times'>,
  signedIn: AccountProfiles | undefined,
  now: number,
): boolean {
  if (licenceEnd(times) + KEPT_SECONDS <= now) return true
  return signedIn?.accountId === accountId && !signedIn.profileIds.has(profileId)
}

/** Returns the times of a licence after a play at `deviceNow`, in seconds since the Unix epoch. */
export function playedAt(times: LicenceTimes, deviceNow: number): LicenceTimes {
  const now = Math.max(times.latestAt, deviceNow + times.aheadSeconds)
  return { ...times, firstPlayedAt: times.firstPlayedAt ?? now, latestAt: now }
}

/** Returns the times with `deviceNow` as the latest time, so that a clock that is set back later is detected. */
export function seenAt(times: LicenceTimes, deviceNow: number): LicenceTimes {
  return { ...times, latestAt: Math.max(times.latestAt, deviceNow + times.aheadSeconds) }
}

/** Interval at which the service checks the right to a download again, in seconds. */
const RECHECK_SECONDS = 3600

/**
 * Returns whether the service should check a download: an hour after the last check, or if a clock was wrong. Lists
 * and plays change only `latestAt`, so they do not delay the check.
 */
export function isCheckDue(times: LicenceTimes, serviceNow: number, deviceNow: number): boolean {
  return (
    Math.abs(serviceNow - (times.confirmedAt ?? 0)) > RECHECK_SECONDS ||
    times.latestAt - serviceNow > RECHECK_SECONDS ||
    licenceStateOf(times, deviceNow) === 'clock'
  )
}

/**
 * Returns the times after a check, with the service's current time. If the first play has a time in the future, the
 * clock was wrong when it was stored. The current time then replaces that time.
 */
export function checkedAt(times: LicenceTimes, serviceNow: number, deviceNow: number): LicenceTimes {
  const { firstPlayedAt } = times
  return {
    ...times,
    firstPlayedAt: firstPlayedAt === null ? null : Math.min(firstPlayedAt, Math.floor(serviceNow)),
    latestAt: Math.floor(serviceNow),
    confirmedAt: Math.floor(serviceNow),
    aheadSeconds: Math.round(serviceNow - deviceNow),
  }
}

/** Returns whether two requests for a title have the same files. */
export function haveSameFolders(one: Pick<Download, 'folders'>, other: Pick<Download, 'folders'>): boolean {
  return JSON.stringify(one.folders) === JSON.stringify(other.folders)
}

/** Returns the folders of a download that no other download needs. */
export function ownFolders(
  { key, folders }: Pick<Download, 'key' | 'folders'>,
  downloads: readonly Download[],
): DownloadFolder[] {
  const others = downloads.filter((other) => other.key !== key)
  const needed = new Set(others.flatMap((other) => other.folders.map(({ address }) => address)))
  return folders.filter(({ address }) => !needed.has(address))
}

/** Returns the addresses of all files of a download, in the order in which they are fetched. */
export function filesOf(folders: readonly DownloadFolder[]): string[] {
  const longest = Math.max(0, ...folders.map(({ segments }) => segments))
  const files = folders.map(({ address }) => `${address}init.mp4`)
  // Segment by segment, so that the fetched part can be played from its beginning.
  for (let number = 1; number <= longest; number += 1) {
    for (const { address, segments } of folders) {
      if (number <= segments) files.push(`${address}${number}.m4s`)
    }
  }
  return files
}

/** Returns the progress in whole percent. Only a complete download has 100. */
export function percentOf(done: number, all: number): number {
  return all === 0 ? 0 : Math.floor((done / all) * 100)
}

/**
 * Returns the manifest of a download. Segments get offline addresses. The address of the service's clock is
 * removed, because a player without a connection cannot fetch the time.
 */
export function offlineManifestText(manifest: string, toOffline: (address: string) => string): string {
  return manifest
    .replaceAll(/"(\/media\/[^"]*)"/g, (_, address: string) => `"${toOffline(address)}"`)
    .replaceAll(/<UTCTiming [^>]*\/>\n?/g, '')
}
