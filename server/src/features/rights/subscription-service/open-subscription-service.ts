import type { Settings } from '../../../env.ts'
import { checkedFetch } from '../../../outbound/fetch-checked.ts'
import { CleengService } from './cleeng-service.ts'
import type { SubscriptionService } from './subscription-service.ts'

/** Returns the client of the subscription service; undefined if its settings are missing. */
export function openSubscriptionService(settings: Settings): SubscriptionService | undefined {
  const {
    CLEENG_API_BASE: base,
    CLEENG_PUBLISHER_ID: publisherId,
    CLEENG_PUBLISHER_TOKEN: publisherToken,
    CLEENG_CHECKOUT_URL: checkoutUrl,
    OUTBOUND_ALLOW: allow,
  } = settings
  if (publisherId === undefined || publisherToken === undefined || checkoutUrl === undefined) return undefined
  return new CleengService({ base, publisherId, publisherToken, checkoutUrl }, checkedFetch(allow))
}
