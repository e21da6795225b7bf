import type { downloadAsset, LicenceSource } from '@ondine/contract/downloads'
import type { OutputOf } from '@ondine/contract/operation'

/** Fault in the answer of `downloadAsset`: a missing field, or a value that this player does not know (A8.3-17). */
type SetupFault =
  | 'no player source url'
  | 'no auth method'
  | 'no licence request URI'
  | 'no DRM token'
  | 'no certificate URI'
  | 'no application certificate data'
  | 'no licence parameter'
  | 'unsupported DRM provider'
  | 'unsupported DRM type'

/** Thrown when a download cannot be prepared (A8.3-17). */
export class DownloadSetupError extends Error {
  override readonly name = 'DownloadSetupError'
  readonly fault: SetupFault

  constructor(fault: SetupFault, options?: ErrorOptions) {
    super(`The download cannot be prepared: ${fault}`, options)
    this.fault = fault
  }
}

const FAIR_PLAY: LicenceSource['keySystem'] = 'com.apple.fps'

/** Key systems that a licence may name. */
const KEY_SYSTEMS: ReadonlySet<string> = new Set(['org.w3.clearkey', 'com.widevine.alpha', FAIR_PLAY])
const PROVIDERS: ReadonlySet<string> = new Set(['clearkey', 'castlabs', 'axinom', 'doverunner'])

type Prepared = OutputOf<typeof downloadAsset>

/**
 * Requires everything that a download needs (A4.9-05).
 *
 * @param isEncrypted whether the manifest declares encryption
 * @throws DownloadSetupError
 */
export function requireComplete(
  { url, licence }: Pick<Prepared, 'url' | 'licence'>,
  isEncrypted: boolean,
): void {
  if (url === '') throw new DownloadSetupError('no player source url')
  if (licence === null) {
    if (isEncrypted) throw new DownloadSetupError('no licence parameter')
    return
  }
  // The service's answer may be newer than this page, so its types are not trusted.
  const { provider, keySystem, authMethod, licenceUrl, token, certificateUrl }: Record<string, unknown> = {
    ...licence,
  }
  if (!PROVIDERS.has(String(provider))) throw new DownloadSetupError('unsupported DRM provider')
  if (!KEY_SYSTEMS.has(String(keySystem))) throw new DownloadSetupError('unsupported DRM type')
  if (!authMethod) throw new DownloadSetupError('no auth method')
  if (!licenceUrl) throw new DownloadSetupError('no licence request URI')
  if (!token) throw new DownloadSetupError('no DRM token')
  if (keySystem === FAIR_PLAY && !certificateUrl) throw new DownloadSetupError('no certificate URI')
}
