import type { KeySystem } from '@ondine/media/pssh'
import type { OutputRules } from '../../rights/entitlements/output-rules.service.ts'

/** A content key that a licence may contain. */
export interface ContentKey {
  trackSetId: string
  /** 32 hexadecimal digits. */
  keyId: string
  /** 16 bytes. */
  key: Buffer
  /** The constant initialisation vector of the media, 16 bytes. Only FairPlay needs it. */
  iv: Buffer | null
}

/** Times of a persistent licence, which a device keeps for offline playback. */
export interface KeptLicence {
  /** When the licence ends, in milliseconds since the Unix epoch. */
  expiresAt: number
  /** How long the title can be played after its first play, in seconds. */
  playSeconds: number
}

/** A licence request of a playback session that has a right to these keys. */
export interface LicenceOrder {
  system: KeySystem
  /** Request from the decryption module: a challenge of Widevine, or a Server Playback Context of FairPlay. */
  request: Buffer
  keys: readonly ContentKey[]
  rules: OutputRules
  /** Set for a download, whose licence is persistent. Omitted for a licence that ends with its session. */
  kept?: KeptLicence | undefined
  accountId: number
  sessionId: string
}

/**
 * A DRM provider for Widevine and FairPlay (spec 18). Each licence request carries a token in the provider's
 * published format, with the keys and rules of one playback session. Viewers never get the token: the service
 * sends the request, and returns the licence.
 */
export interface DrmProvider {
  /**
   * Orders a licence.
   *
   * @returns the bytes for the decryption module.
   * @param now milliseconds since the Unix epoch.
   * @throws ServiceError licenceRefused if the provider refuses; temporarilyUnavailable if it does not answer.
   */
  licence(order: LicenceOrder, now: number): Promise<Buffer>
  /** Fetches the operator's FairPlay certificate. @throws ServiceError as `licence` does */
  fairPlayCertificate(): Promise<Buffer>
  /**
   * Returns the key address in HLS playlists. FairPlay sends this address to the provider. It depends on the key
   * alone, because the TrackSets of a live channel share a key.
   */
  fairPlayUri(key: Pick<ContentKey, 'keyId'>): string
}
