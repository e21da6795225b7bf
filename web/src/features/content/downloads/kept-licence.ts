import type { LicenceSource } from '@ondine/contract/downloads'
import type { KeptLicence } from './download.ts'
import { DownloadSetupError } from './prepare.ts'

const WIDEVINE = 'com.widevine.alpha'
const SESSION = 'persistent-license'

/** Time in which the decryption module must accept the licence, in ms. */
const PATIENCE_MS = 20_000

/**
 * Gets a persistent licence from a DRM provider and stores it in the decryption module of this device.
 *
 * @param order sends a request of the decryption module to the service, and returns the answer. The module may
 * request a certificate first, so `order` may be called twice
 * @throws DownloadSetupError if this browser stores no licences, or if the manifest has no initialisation data
 */
export async function keepLicence(
  manifest: string,
  robustness: LicenceSource['robustness'],
  order: (challenge: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<KeptLicence> {
  const initData = widevineData(manifest)
  if (initData === undefined) throw new DownloadSetupError('no licence parameter')
  const keys = await openModule(robustness)
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
      session.generateRequest('cenc', bytesOf(initData)).catch((error: unknown) => end(() => reject(error)))
    })
    const { sessionId } = session
    return { keySystem: WIDEVINE, sessionId, initData, ...(robustness !== undefined && { robustness }) }
  } finally {
    // Closing keeps the licence. Only `remove` deletes a licence.
    await session.close()
  }
}

/** Deletes a licence from the decryption module. Does nothing if the module no longer has the licence. */
export async function deleteLicence({ sessionId, robustness }: KeptLicence): Promise<void> {
  const session = (await openModule(robustness)).createSession(SESSION)
  if (!(await session.load(sessionId))) return
  await session.remove()
  await session.close()
}

/** @throws DownloadSetupError if this browser cannot store Widevine licences */
async function openModule(robustness: LicenceSource['robustness']): Promise<MediaKeys> {
  const wanted: MediaKeySystemConfiguration = {
    initDataTypes: ['cenc'],
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
  try {
    return await (await navigator.requestMediaKeySystemAccess(WIDEVINE, [wanted])).createMediaKeys()
  } catch (cause) {
    throw new DownloadSetupError('unsupported DRM type', { cause })
  }
}

/** Returns the initialisation data for Widevine in a DASH manifest, in base64. */
function widevineData(manifest: string): string | undefined {
  return /urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"><cenc:pssh>([^<]+)</.exec(manifest)?.[1]
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Encodes bytes in base64. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
