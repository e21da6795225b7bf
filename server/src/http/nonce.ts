import { randomFillSync } from 'node:crypto'

const BYTES = 16
/** Asked for at once for many pages: each question costs more than what it brings. */
const CHANCE = Buffer.alloc(256 * BYTES)
let used = CHANCE.length

/** What nobody can guess and no other page has: what a page's own scripts and styles are told by (CSP Level 3, nonces). */
export function newNonce(): string {
  if (used === CHANCE.length) {
    randomFillSync(CHANCE)
    used = 0
  }
  return CHANCE.toString('base64', used, (used += BYTES))
}
