import { expect, test } from 'vitest'
import { nameLicenceKey, widevineKeyId } from './licence-key.ts'

const KEY_ID = '0123456789abcdef0123456789abcdef'
const bytesOf = (digits: string) => Uint8Array.from(Buffer.from(digits, 'hex'))
/** The `pssh` boxes for a key, as in the manifests of the service (`media/src/pssh.test.ts`). */
const WIDEVINE = bytesOf(
  `000000387073736800000000edef8ba979d64acea3c827dcd51d21ed000000181210${KEY_ID}48f3c6899b06`,
)
const COMMON = bytesOf(`0000003470737368010000001077efecc0b24d02ace33c1e52e2fb4b00000001${KEY_ID}00000000`)
const LICENCE = 'https://ondine.test/play/token/widevine'

test('V4-27 a licence request names the key of its programme', () => {
  const request = { uris: [LICENCE], initData: WIDEVINE }
  nameLicenceKey(request)
  expect(request.uris).toEqual([`${LICENCE}?keyId=${KEY_ID}`])
})

test.each([
  ['castLabs', `skd://drmtoday?assetId=${KEY_ID}&keyId=${KEY_ID}`],
  ['Axinom', 'skd://01234567-89ab-cdef-0123-456789abcdef'],
  ['DoveRunner', `skd://${KEY_ID}`],
])('V4-27 a licence request of FairPlay names the key of the address of %s', (_provider, address) => {
  const licence = 'https://ondine.test/play/token/fairplay'
  const request = { uris: [licence], initData: new TextEncoder().encode(address) }
  nameLicenceKey(request)
  expect(request.uris).toEqual([`${licence}?keyId=${KEY_ID}`])
})

test('other initialisation data and other addresses stay as they are', () => {
  for (const initData of [null, new Uint8Array(), COMMON, WIDEVINE.subarray(0, 40)]) {
    const request = { uris: [LICENCE], initData }
    nameLicenceKey(request)
    expect(request.uris).toEqual([LICENCE])
    expect(widevineKeyId(initData)).toBeUndefined()
  }
  const elsewhere = { uris: ['https://ondine.test/play/token/licence'], initData: WIDEVINE }
  nameLicenceKey(elsewhere)
  expect(elsewhere.uris).toEqual(['https://ondine.test/play/token/licence'])
})
