import { randomFillSync } from 'node:crypto'

const BYTES = 16
/** Random bytes for many nonces. One request for all of them is cheaper than one per page. */
const CHANCE = Buffer.alloc(256 * BYTES)
let used = CHANCE.length

/** Returns an unguessable nonce for one page. The page's own scripts and styles carry it (CSP Level 3, nonces). */
export function newNonce(): string {
  if (used === CHANCE.length) {
    randomFillSync(CHANCE)
    used = 0
  }
  return CHANCE.toString('base64', used, (used += BYTES))
}
