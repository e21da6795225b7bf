import { adultCode, setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import type { RateLimit } from '../../../http/rate-limit.ts'
import { linkOriginOf } from '../../../http/site-origin.ts'
import { requireAccount } from '../accounts/accounts.service.ts'
import type { Mail } from '../mail/mail.service.ts'
import { requireProfile } from '../profiles/profiles.service.ts'
import * as parental from './parental.service.ts'

/** @param passwordLimit counts guesses of passwords */
export function registerParental(
  on: On,
  context: Context,
  { mail, passwordLimit }: { mail: Mail; passwordLimit: RateLimit },
): void {
  const { keys, configurations, viewers } = context
  on(adultCode, async (_input, call) => {
    await viewers.of(call, call.now)
    return { set: await parental.hasParentalCode(call.db, call.account.id) }
  })

  on(setAdultCode, async (codes, call) => {
    const { db, account, profile, storefront, language, now, request } = call
    // While the operator has disabled parental control, viewers cannot set or change the code (V1-11). An existing
    // code can still be entered.
    if (!configurations.of(storefront.id).accounts.isParentalControlEnabled)
      throw new ServiceError('forbidden')
    await requireAccount(db, account)
    const active = await requireProfile(db, account.id, profile.id)
    if (!active.isDefault) throw new ServiceError('forbidden')
    if (codes.currentPassword !== undefined) await passwordLimit(request)
    const given = { code: codes.adultCode, current: codes.currentAdultCode, password: codes.currentPassword }
    const hadCode = await parental.setParentalCode(db, account.id, given, now)
    if (!hadCode) return null
    const origin = linkOriginOf(context, request)
    const letter = 'parentalCodeChanged' as const
    await mail.order({ letter, accountId: account.id, storefrontId: storefront.id, origin, language })
    return null
  })

  on(validateAdultCode, async ({ parentalCode }, call) => {
    const { db, account, now } = call
    await requireAccount(db, account)
    return await parental.validateParentalCode({ db, keys }, account.id, parentalCode, now)
  })
}
