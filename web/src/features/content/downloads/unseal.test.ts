import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { Sealed } from '@ondine/contract/downloads'
import { expect, test } from 'vitest'
import { CURVE, pointOf, toBase64url, unseal } from './unseal.ts'

const LICENCE = { idAsset: 7, keys: { aa: 'bb' }, expiresAt: 1_800_000_000 }

/** Seals a value as the service does, but with a separate implementation. */
function seal(devicePoint: Uint8Array, value: unknown): Sealed {
  const own = createECDH('prime256v1')
  const point = own.generateKeys()
  const key = Buffer.from(
    hkdfSync('sha256', own.computeSecret(devicePoint), point, 'ondine download licence', 32),
  )
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(devicePoint)
  const data = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()])
  return {
    publicKey: point.toString('base64url'),
    iv: iv.toString('base64url'),
    data: data.toString('base64url'),
  }
}

const newDevice = async () => await crypto.subtle.generateKey(CURVE, false, ['deriveBits'])

test('spec 39 a device reads what was sealed for it', async () => {
  const device = await newDevice()
  const sealed = seal(await pointOf(device), LICENCE)
  expect(await unseal(device, sealed)).toEqual(LICENCE)
})

test('spec 39 another device, or a changed licence, is refused', async () => {
  const device = await newDevice()
  const sealed = seal(await pointOf(device), LICENCE)
  await expect(unseal(await newDevice(), sealed)).rejects.toThrow()
  const bytes = Buffer.from(sealed.data, 'base64url')
  bytes[3] = (bytes[3] ?? 0) ^ 1
  await expect(unseal(device, { ...sealed, data: bytes.toString('base64url') })).rejects.toThrow()
})

test('the private key of a device cannot be exported', async () => {
  const device = await newDevice()
  await expect(crypto.subtle.exportKey('pkcs8', device.privateKey)).rejects.toThrow()
})

test('base64url is what the service expects', () => {
  const bytes = randomBytes(65)
  expect(toBase64url(bytes)).toBe(bytes.toString('base64url'))
})
