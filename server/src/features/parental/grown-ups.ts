import type { Context } from '../../context.ts'
import { ServiceError } from '../../http/errors.ts'
import type { LadderOptions } from '../../http/operations.ts'
import { isProven } from './parental.service.ts'

/**
 * The rule for calls that a child's profile makes only with the parental code (spec decision 46). The database says who is a
 * child, through the memory of viewers. An account without a code gives no proof: there a grown-up's profile is needed.
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
