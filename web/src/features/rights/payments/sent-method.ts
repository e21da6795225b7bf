import type { PaymentMethod } from '@ondine/contract/orders'

/** Returns the fields of a call that name a payment method (A7.1-30). */
export function sentMethod({
  brandBillingProviderId,
  paymentProvider,
  paymentBrand,
  paymentMethod,
}: PaymentMethod) {
  return {
    paymentData: JSON.stringify({ brandBillingProviderId }),
    paymentProvider,
    paymentBrand,
    paymentMethod,
  }
}
