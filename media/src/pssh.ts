/** The system ids of Common Encryption in Ondine's media (DASH-IF, `content-protection`). */
export const SYSTEM_IDS = {
  /** No particular system: the box only lists key ids (W3C, “cenc” Initialization Data Format). */
  common: '1077efec-c0b2-4d02-ace3-3c1e52e2fb4b',
  widevine: 'edef8ba9-79d6-4ace-a3c8-27dcd51d21ed',
  fairPlay: '94ce86fb-07ff-4f43-adb8-93d2fa968ca2',
} as const

/** Key systems of licence providers. */
export type KeySystem = 'widevine' | 'fairPlay'

/** The `pssh` boxes of a key id, one for each system (ISO/IEC 23001-7, section 8.1). */
export type PsshBoxes = Readonly<Record<keyof typeof SYSTEM_IDS, Uint8Array<ArrayBuffer>>>

/**
 * Returns the `pssh` boxes of a key id. All boxes except Widevine's have version 1, which lists key ids. Widevine's box
 * has version 0 and a WidevineCencHeader, because older devices do not read version 1.
 *
 * @param keyId 32 hexadecimal digits, with or without hyphens
 */
export function psshBoxes(keyId: string): PsshBoxes {
  const id = bytesOf(keyId)
  const listed = (systemId: string) => box([1, 0, 0, 0], bytesOf(systemId), uint32(1), id, uint32(0))
  const header = [KEY_ID_FIELD, id.length, ...id, PROTECTION_SCHEME_FIELD, ...CBCS]
  return {
    common: listed(SYSTEM_IDS.common),
    widevine: box([0, 0, 0, 0], bytesOf(SYSTEM_IDS.widevine), uint32(header.length), header),
    fairPlay: listed(SYSTEM_IDS.fairPlay),
  }
}

/** Field 2 of WidevineCencHeader, bytes: a key id. */
const KEY_ID_FIELD = 0x12
/** Field 9 of WidevineCencHeader, a number: the protection scheme. */
const PROTECTION_SCHEME_FIELD = 0x48
/** The characters `cbcs` as a number, encoded as a Protocol Buffers varint. */
const CBCS = [0xf3, 0xc6, 0x89, 0x9b, 0x06]

function box(...parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const part of [uint32(length), [0x70, 0x73, 0x73, 0x68], ...parts]) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

function uint32(number: number): number[] {
  return [number >>> 24, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff]
}

function bytesOf(hexadecimal: string): Uint8Array {
  const digits = hexadecimal.replaceAll('-', '')
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  )
}
