import { ServiceError } from '../../../http/errors.ts'
import type { LicensedKey } from './licences.service.ts'

/** Maximum number of keys in one request. The manifests of the service contain only a few key ids. */
const LARGEST_REQUEST = 64

/** A Clear Key licence (W3C Encrypted Media Extensions, section 9.1.4). */
export interface ClearKeyLicence {
  keys: { kty: 'oct'; kid: string; k: string }[]
  type: 'temporary'
}

/**
 * Parses a Clear Key licence request: `{"kids":["…"],"type":"temporary"}` with key ids in base64url.
 *
 * @returns the key ids as 32 hexadecimal digits.
 * @throws ServiceError invalidInput for everything else, also for `persistent-license`, which is not supported for
 *   Clear Key.
 */
export function readLicenceRequest(body: unknown): string[] {
  const parsed = parse(body)
  const { kids, type = 'temporary' } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as {
    kids?: unknown
    type?: unknown
  }
  if (type !== 'temporary') throw refused('type', 'must be "temporary"')
  if (!Array.isArray(kids) || kids.length === 0 || kids.length > LARGEST_REQUEST) {
    throw refused('kids', `must be a list of 1 to ${LARGEST_REQUEST} key ids`)
  }
  return kids.map((kid: unknown) => {
    if (typeof kid !== 'string' || !/^[A-Za-z0-9_-]{22}$/.test(kid)) {
      throw refused('kids', 'must be 16 bytes each, in base64url')
    }
    return Buffer.from(kid, 'base64url').toString('hex')
  })
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  } catch {
    throw refused('body', 'must be JSON')
  }
}

function refused(field: string, message: string): ServiceError {
  return new ServiceError('invalidInput', { fields: [{ field, message }] })
}

/** Builds the answer to a request. */
export function writeLicence(keys: readonly Pick<LicensedKey, 'keyId' | 'key'>[]): ClearKeyLicence {
  return {
    keys: keys.map(({ keyId, key }) => ({
      kty: 'oct',
      kid: Buffer.from(keyId, 'hex').toString('base64url'),
      k: key.toString('base64url'),
    })),
    type: 'temporary',
  }
}
