import type { PaymentMethod } from '@ondine/contract/orders'

/** A saved card. */
interface SavedMethod extends PaymentMethod {
  label: string
}

/** Returns the saved cards among the payment methods. */
export function savedMethods(methods: readonly PaymentMethod[]): SavedMethod[] {
  return methods.flatMap((method) => {
    const { label } = method
    return label === null ? [] : [{ ...method, label }]
  })
}

/** Returns the first method that pays with a new card; undefined if the service takes no payments. */
export function newCard(methods: readonly PaymentMethod[]): PaymentMethod | undefined {
  return methods.find(({ label }) => label === null)
}

/** Returns the ids of the providers that have a page where customers manage their cards. Each id occurs once. */
export function dashboardProviders(methods: readonly PaymentMethod[]): number[] {
  const withPage = methods.filter(({ hasDashboard }) => hasDashboard)
  return [...new Set(withPage.map(({ brandBillingProviderId }) => brandBillingProviderId))]
}

/** Formats the brand of a card: `Visa`. */
export function brandName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1)
}
