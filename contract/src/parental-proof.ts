import { text } from './wire.ts'

/**
 * The proof that `validateAdultCode` answers (decision 28). Every call that a child's profile makes only with the code
 * has this field (decision 46).
 */
export const parentalProof = text(2000).optional()
