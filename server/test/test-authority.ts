import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** A certificate (DER) and its key. */
export interface Certified {
  certificate: Buffer
  key: KeyObject
}

/** Fields of a certificate. */
interface Wanted {
  name: string
  isAuthority: boolean
  /** Object identifiers of certificate extensions, which only need to be present. Their values do not matter. */
  marks?: readonly string[]
  /** Milliseconds since the Unix epoch. */
  validFrom?: number
  validTo?: number
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))
const COMMON_NAME = '2.5.4.3'
const BASIC_CONSTRAINTS = '2.5.29.19'

/** Creates a certificate (RFC 5280), signed by an issuer or by itself. */
export function certify(
  { name, isAuthority, marks = [], validFrom = Date.UTC(2020, 0), validTo = Date.UTC(2045, 0) }: Wanted,
  issuer?: Certified & { name: string },
): Certified & { name: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const extensions = [
    ...(isAuthority ? [extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))))] : []),
    ...marks.map((mark) => extension(mark, der(0x05))),
  ]
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    named(issuer?.name ?? name),
    sequence(time(validFrom), time(validTo)),
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, issuer?.key ?? privateKey)
  const certificate = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature))
  return { name, certificate, key: privateKey }
}

/** Signs claims as a compact JWS (RFC 7515). */
export function signJws(
  header: Record<string, unknown>,
  payload: unknown,
  key: KeyObject,
  algorithm: 'ES256' | 'RS256' = 'ES256',
): string {
  const encoded = [{ alg: algorithm, ...header }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(encoded), { key, dsaEncoding: 'ieee-p1363' })
  return `${encoded}.${signature.toString('base64url')}`
}

/** Returns the id of a key in key sets. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function extension(id: string, content: Buffer): Buffer {
  return sequence(oid(id), der(0x04, content))
}

function named(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(name)))))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return der(0x06, Buffer.from(bytes))
}
