import { text } from './wire.ts'

/**
 * The proof returned by `validateAdultCode` (spec 28). Every call that a child's profile may make only with the code
 * has this field (spec 46).
 */
export const parentalProof = text(2000).optional()
