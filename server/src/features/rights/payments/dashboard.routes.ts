import { bundledLanguage } from '@ondine/contract/languages'
import { DEFAULT_BILLING_PROVIDER, getBillingDashboardAccess } from '@ondine/contract/orders'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import type { PaymentProviders } from './payments.service.ts'
import { ProviderSilent } from './payments.service.ts'

/** Path to which the provider's dashboard returns the customer. */
const BACK = '/account/products'

export function registerDashboard(on: On, context: Context, providers: PaymentProviders): void {
  on(getBillingDashboardAccess, async ({ brandBillingProviderId = DEFAULT_BILLING_PROVIDER }, call) => {
    // A suspended account may still manage its card.
    await context.viewers.of(call, call.now)
    const provider = [...providers.values()].find(
      (each) => each.brandBillingProviderId === brandBillingProviderId,
    )
    if (provider?.openDashboard === undefined) {
      const field = { field: 'brandBillingProviderId', message: 'names no provider with a dashboard' }
      throw new ServiceError('notFound', { fields: [field] })
    }
    try {
      const dashboardUrl = await provider.openDashboard({
        customer: String(call.account.id),
        language: bundledLanguage(call.language),
        returnUrl: `${siteOriginOf(context, call.request).origin}${BACK}`,
      })
      return { dashboardUrl }
    } catch (error) {
      if (error instanceof ProviderSilent)
        throw new ServiceError('paymentProviderSilent', null, { cause: error })
      throw error
    }
  })
}
