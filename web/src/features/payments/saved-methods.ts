import type { PaymentMethod } from '@ondine/contract/orders'

/** A card that is saved. */
interface SavedMethod extends PaymentMethod {
  label: string
}

/** The saved cards among the ways to pay. */
export function savedMethods(methods: readonly PaymentMethod[]): SavedMethod[] {
  return methods.flatMap((method) => {
    const { label } = method
    return label === null ? [] : [{ ...method, label }]
  })
}

/** The providers that have a page where customers look after their cards, each once, by their ids. */
export function dashboardProviders(methods: readonly PaymentMethod[]): number[] {
  const withPage = methods.filter(({ hasDashboard }) => hasDashboard)
  return [...new Set(withPage.map(({ brandBillingProviderId }) => brandBillingProviderId))]
}

/** The brand of a card as it is written: `Visa`. */
export function brandName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1)
}
