import type { Context } from '../../../context.ts'
import type { Call } from '../../../http/operations.ts'
import { isProven } from '../../people/parental/parental.service.ts'
import { requireActiveAccount } from '../entitlements/entitlements.service.ts'
import type { Buyer } from './cart.service.ts'

/**
 * Returns the buyer of a call.
 *
 * @param proof proof of the parental code, if the call has one
 * @throws ServiceError accountSuspended; tokenInvalid if the account is closed
 */
export async function buyerOf(
  { viewers, configurations, db, keys }: Pick<Context, 'viewers' | 'configurations' | 'db' | 'keys'>,
  call: Call<'profile'>,
  proof: string | undefined,
): Promise<Buyer> {
  const { account, language, now, storefront } = call
  const viewer = await viewers.of(call, now)
  requireActiveAccount(viewer)
  return {
    account,
    viewer,
    language,
    now,
    sells: configurations.of(storefront.id).offers,
    hasGivenCode: async () => await isProven({ db, keys }, account.id, proof),
  }
}
