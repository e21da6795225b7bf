import { createECDH } from 'node:crypto'
import type { Database } from '../../../database/connection.ts'
import { pushKeys } from './push.table.ts'

/** Keys that identify the installation to push services, in base64url (RFC 8292). */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

const CURVE = 'prime256v1'

/**
 * Returns a function that loads the keys of the installation once. The first call in a new installation creates them.
 */
export function pushKeysOf(db: Database): () => Promise<PushKeys> {
  let loading: Promise<PushKeys> | undefined
  return async () => {
    loading ??= load(db).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return await loading
  }
}

async function load(db: Database): Promise<PushKeys> {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // If several processes create keys at the same time, only the first one stores its keys. All processes then read
  // the stored keys.
  await db
    .insert(pushKeys)
    .values({ id: 'first', secret: padded(pair.getPrivateKey()) })
    .onConflictDoNothing()
  const [stored] = await db.select({ secret: pushKeys.secret }).from(pushKeys)
  if (!stored) throw new Error('The keys for push services were not stored.')
  pair.setPrivateKey(stored.secret)
  return {
    publicKey: pair.getPublicKey('base64url', 'uncompressed'),
    privateKey: stored.secret.toString('base64url'),
  }
}

const PRIVATE_KEY_BYTES = 32

/** Adds the leading zeros of a private key, which Node leaves out. */
function padded(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - key.length), key])
}
