import type { Sealed } from '@ondine/contract/downloads'

export const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const

/** Binds the derived keys to this purpose (RFC 5869, section 3.2). The service uses the same text in `seal.ts`. */
const PURPOSE = new TextEncoder().encode('ondine download licence')

/** Returns the public key of a device as an uncompressed point. */
export async function pointOf({ publicKey }: CryptoKeyPair): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
}

/**
 * Decrypts a value that the service sealed for this device: ECDH, HKDF-SHA-256, AES-256-GCM.
 *
 * @throws DOMException if the value was sealed for another device, or was changed
 */
export async function unseal(device: CryptoKeyPair, { publicKey, iv, data }: Sealed): Promise<unknown> {
  const { subtle } = crypto
  const theirPoint = fromBase64url(publicKey)
  const theirKey = await subtle.importKey('raw', theirPoint, CURVE, false, [])
  const secret = await subtle.deriveBits({ name: 'ECDH', public: theirKey }, device.privateKey, 256)
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: theirPoint, info: PURPOSE },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['decrypt'],
  )
  const cipher = { name: 'AES-GCM', iv: fromBase64url(iv), additionalData: await pointOf(device) }
  return JSON.parse(new TextDecoder().decode(await subtle.decrypt(cipher, key, fromBase64url(data))))
}

/** Writes bytes in base64url (RFC 4648, section 5), without padding. */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}
