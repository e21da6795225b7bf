import type { LicenceSource } from '@ondine/contract/downloads'
import type { KeptLicence } from './download.ts'
import { DownloadSetupError } from './prepare.ts'

const FAIR_PLAY = 'com.apple.fps'
const SESSION = 'persistent-license'

/** Time in which the decryption module must accept the licence, in ms. */
const PATIENCE_MS = 20_000

/** Time in which the decryption module must say that it has no licence of an unknown session, in ms. */
const LOOK_MS = 5000

/** A licence to keep: the decryption module, and the data for which the module requests the licence. */
export type WantedLicence = Omit<KeptLicence, 'sessionId'>

/**
 * Returns the data for a licence request to this device's decryption module; null for Clear Key, which needs none.
 *
 * @param media the manifest, and the address of the initialisation segment of the video
 * @param fetchBytes fetches a file of the service
 * @throws DownloadSetupError if the certificate is empty, or if the media has no initialisation data for the module
 */
export async function wantedLicence(
  { keySystem, certificateUrl = '', robustness }: LicenceSource,
  media: { manifest: string; initSegment: string },
  fetchBytes: (address: string) => Promise<Uint8Array>,
): Promise<WantedLicence | null> {
  if (keySystem === 'org.w3.clearkey') return null
  if (keySystem === FAIR_PLAY) {
    const certificate = await fetchBytes(certificateUrl)
    if (certificate.length === 0) throw new DownloadSetupError('no application certificate data')
    const initData = fairPlayData(await fetchBytes(media.initSegment))
    return { keySystem, initData, certificate: base64Of(certificate) }
  }
  const initData = widevineData(media.manifest)
  if (initData === undefined) throw new DownloadSetupError('no licence parameter')
  return { keySystem, initData, ...(robustness !== undefined && { robustness }) }
}

/**
 * Gets a persistent licence from a DRM provider and stores it in the decryption module of this device.
 *
 * @param order sends a request of the decryption module to the service, and returns the answer. The module may
 * request a certificate first, so `order` may be called twice
 * @throws DownloadSetupError if this browser stores no licences
 */
export async function keepLicence(
  wanted: WantedLicence,
  order: (challenge: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<KeptLicence> {
  const keys = await openModule(wanted)
  if (wanted.keySystem === FAIR_PLAY) await requireStore(keys)
  const session = keys.createSession(SESSION)
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The decryption module did not answer')), PATIENCE_MS)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        settle()
      }
      session.addEventListener('keystatuseschange', () => {
        if ([...session.keyStatuses.values()].includes('usable')) end(resolve)
      })
      session.addEventListener('message', ({ message }) => {
        order(new Uint8Array(message))
          .then(async (answer) => await session.update(answer))
          .catch((error: unknown) => end(() => reject(error)))
      })
      session
        .generateRequest(initDataTypeOf(wanted), bytesOf(wanted.initData))
        .catch((error: unknown) => end(() => reject(error)))
    })
    return { ...wanted, sessionId: session.sessionId }
  } finally {
    // Closing keeps the licence. Only `remove` deletes a licence.
    await session.close()
  }
}

/** Deletes a licence from the decryption module. Does nothing if the module no longer has the licence. */
export async function deleteLicence(kept: KeptLicence): Promise<void> {
  const session = (await openModule(kept)).createSession(SESSION)
  if (!(await session.load(kept.sessionId))) return
  await session.remove()
  await session.close()
}

/** Returns the type of the initialisation data of a kept licence (W3C Encrypted Media Extensions). */
export function initDataTypeOf({ keySystem }: Pick<KeptLicence, 'keySystem'>): 'sinf' | 'cenc' {
  return keySystem === FAIR_PLAY ? 'sinf' : 'cenc'
}

/** @throws DownloadSetupError if this browser cannot store licences of the key system */
async function openModule({ keySystem, robustness, certificate }: WantedLicence): Promise<MediaKeys> {
  const configuration: MediaKeySystemConfiguration = {
    initDataTypes: [initDataTypeOf({ keySystem })],
    persistentState: 'required',
    sessionTypes: [SESSION],
    videoCapabilities: [
      {
        contentType: 'video/mp4; codecs="avc1.640028"',
        encryptionScheme: 'cbcs',
        ...(robustness !== undefined && { robustness }),
      },
    ],
  }
  let keys: MediaKeys
  try {
    const access = await navigator.requestMediaKeySystemAccess(keySystem, [configuration])
    keys = await access.createMediaKeys()
  } catch (cause) {
    throw new DownloadSetupError('unsupported DRM type', { cause })
  }
  // FairPlay makes no request without the certificate.
  if (certificate !== undefined) await keys.setServerCertificate(bytesOf(certificate))
  return keys
}

/**
 * Requires that the decryption module looks for stored licences. WebKit accepts persistent FairPlay sessions on iOS,
 * but `load` of its published source never settles, so the licence could not be used later. This is tested before the
 * order, because an order begins a rental.
 *
 * @throws DownloadSetupError
 */
async function requireStore(keys: MediaKeys): Promise<void> {
  const session = keys.createSession(SESSION)
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), LOOK_MS)
  })
  // A module may reject the id of a session that it has never had.
  const answer = session.load('0').catch(() => false)
  const found = await Promise.race([answer, silence])
  clearTimeout(timer)
  if (found === 'silent') throw new DownloadSetupError('unsupported DRM type')
}

/** Returns the initialisation data for Widevine in a DASH manifest, in base64. */
function widevineData(manifest: string): string | undefined {
  return /urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"><cenc:pssh>([^<]+)</.exec(manifest)?.[1]
}

/** Length of the size before the type of an MP4 box, in bytes. */
const SIZE_BYTES = 4

/**
 * Returns the initialisation data for FairPlay in base64: the box `sinf` of an initialisation segment, in the JSON of
 * WebKit's type `sinf`.
 *
 * @throws DownloadSetupError if the segment has no such box
 */
function fairPlayData(segment: Uint8Array): string {
  const start =
    Array.from(segment, (byte) => String.fromCharCode(byte))
      .join('')
      .indexOf('sinf') - SIZE_BYTES
  if (start < 0) throw new DownloadSetupError('no licence parameter')
  const size = new DataView(segment.buffer, segment.byteOffset).getUint32(start)
  const sinf = [base64Of(segment.subarray(start, start + size))]
  return base64Of(new TextEncoder().encode(JSON.stringify({ sinf })))
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Encodes bytes in base64. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
