import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { LadderOptions } from '../../../http/operations.ts'
import { isProven } from './parental.service.ts'

/**
 * Returns the rule for calls that a child's profile may make only with the parental code (spec 46). The
 * database, through the cache of viewers, says who is a child. For an account without a code there is no proof, so
 * these calls need an adult's profile.
 */
export function grownUpRule({
  db,
  keys,
  viewers,
}: Pick<Context, 'db' | 'keys' | 'viewers'>): LadderOptions['requireGrownUp'] {
  return async ({ account, profile }, proof, now) => {
    const { kid, accountId } = await viewers.of({ account, profile }, now)
    if (!kid || accountId === null) return
    const isGiven = typeof proof === 'string' && (await isProven({ db, keys }, accountId, proof))
    if (!isGiven) throw new ServiceError('invalidAccessCode')
  }
}
