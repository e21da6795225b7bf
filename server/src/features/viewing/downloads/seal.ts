import { webcrypto } from 'node:crypto'
import type { Sealed } from '@ondine/contract/downloads'
import { ServiceError } from '../../../http/errors.ts'

const { subtle } = webcrypto

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const

/** Binds the derived keys to this use (RFC 5869, section 3.2). The browser uses the same text in `unseal.ts`. */
const PURPOSE = new TextEncoder().encode('ondine download licence')

/** Length of the nonce of AES-GCM in bytes (NIST SP 800-38D, section 8.2). */
const NONCE_BYTES = 12

/** The public key of a device. */
interface DeviceKey {
  key: webcrypto.CryptoKey
  point: Buffer
}

/**
 * Reads the public key of a device.
 *
 * @param deviceKey a P-256 public key, as an uncompressed point in base64url
 * @throws ServiceError invalidInput if the point is not on the curve
 */
export async function readDeviceKey(deviceKey: string): Promise<DeviceKey> {
  const point = Buffer.from(deviceKey, 'base64url')
  const key = await subtle.importKey('raw', point, CURVE, false, []).catch((cause: unknown) => {
    const fields = [{ field: 'deviceKey', message: 'is not a point of P-256' }]
    throw new ServiceError('invalidInput', { fields }, { cause })
  })
  return { key, point }
}

/**
 * Encrypts a value so that only the owner of a device key can read it: ECDH with a key pair made for this value,
 * HKDF-SHA-256, AES-256-GCM.
 */
export async function seal({ key: theirKey, point: theirPoint }: DeviceKey, value: unknown): Promise<Sealed> {
  const own = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const ownPoint = new Uint8Array(await subtle.exportKey('raw', own.publicKey))
  const secret = await subtle.deriveBits({ name: 'ECDH', public: theirKey }, own.privateKey, 256)
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: ownPoint, info: PURPOSE },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  )
  const iv = webcrypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const text = new TextEncoder().encode(JSON.stringify(value))
  const data = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: theirPoint }, key, text)
  return { publicKey: base64url(ownPoint), iv: base64url(iv), data: base64url(new Uint8Array(data)) }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
