import type { Context } from '@ondine/server/context'
import { accounts } from '@ondine/server/features/people/accounts/accounts.table'
import { profiles } from '@ondine/server/features/people/profiles/profiles.table'
import { accountToken, profileToken } from '@ondine/server/features/people/sign-in/tokens'
import { paymentMethods } from '@ondine/server/features/rights/payments/payments.table'
import { sandboxCards } from '@ondine/server/features/rights/sandbox/sandbox.table'
import { importOffers } from '@ondine/server/features/viewing/shop/offer-import.service'

/** An account with a payment card at the sandbox bank. */
export interface Customer {
  accountId: number
  email: string
  methodId: number
  /** Headers of the customer's calls. */
  tokens: Record<string, string>
}

/** A card whose payments succeed. */
const CARD = { number: '4242424242424242', brand: 'visa', lastDigits: '4242' }
const DAY_MS = 86_400_000
/** Maximum number of rows per statement. A statement can have at most 65,535 values. */
const SLICE = 2000

/**
 * Number of subscription plans on sale. Each plan has a monthly and a yearly offer. A film can be rented too.
 * Prices differ, like those of a real operator.
 */
const PLANS = 8
const OFFERS = [
  'packages:',
  "  - { key: recent, name: { fra: Nouveautés }, titles: ['Film 1', 'Film 2', 'Film 3'] }",
  ...Array.from(
    { length: PLANS },
    (_, index) => `  - { key: p${index}, name: { fra: 'Bouquet ${index}' }, titles: ['Film ${index + 4}'] }`,
  ),
  'offers:',
  '  - { key: rental, type: transactional, name: { fra: Location, eng: Rental }, price: "3.99", class: recent }',
  ...Array.from({ length: PLANS }, (_, index) => [
    `  - { key: m${index}, type: subscription, name: { fra: 'Formule ${index}' }, price: "${index + 4}.99", every: month, plan: p${index}, packages: [p${index}] }`,
    `  - { key: y${index}, type: subscription, name: { fra: 'Formule ${index}' }, price: "${index + 4}9.90", every: year, plan: p${index}, packages: [p${index}] }`,
  ]).flat(),
].join('\n')

/** Puts offers on sale. */
export async function sell(context: Context): Promise<void> {
  const { faults } = await importOffers(context, OFFERS)
  if (faults.length > 0) throw new Error(JSON.stringify(faults))
  await context.offers.refresh()
}

/**
 * Creates accounts that can pay.
 *
 * @param passwordHash hash of the password of all accounts; without it nobody can sign in
 */
export async function makeCustomers(
  { db, keys, storefronts }: Context,
  count: number,
  passwordHash = '',
): Promise<Customer[]> {
  const storefront = storefronts.first()
  const customers: Customer[] = []
  for (let first = 0; first < count; first += SLICE) {
    const names = Array.from(
      { length: Math.min(SLICE, count - first) },
      (_, index) => `customer-${first + index}`,
    )
    const made = await db
      .insert(accounts)
      .values(
        names.map((name) => ({ storefrontId: storefront.id, email: `${name}@ondine.test`, passwordHash })),
      )
      .returning()
    const watching = await db
      .insert(profiles)
      .values(made.map(({ id }) => ({ accountId: id, name: 'Camille', isDefault: true })))
      .returning()
    const profileOf = new Map(watching.map((profile) => [profile.accountId, profile]))
    const expiresAt = Date.now() + 1000 * DAY_MS
    await db
      .insert(sandboxCards)
      .values(
        made.map(({ id }) => ({ customer: String(id), number: CARD.number, token: `card ${id}`, expiresAt })),
      )
    const { brand, lastDigits } = CARD
    const methods = await db
      .insert(paymentMethods)
      .values(
        made.map(({ id: accountId }) => ({
          accountId,
          provider: 'sandbox',
          reference: `card ${accountId}`,
          brand,
          lastDigits,
          lastUsedAt: 0,
          expiresAt,
        })),
      )
      .returning({ id: paymentMethods.id, accountId: paymentMethods.accountId })
    const methodOf = new Map(methods.map(({ id, accountId }) => [accountId, id]))
    for (const account of made) {
      const profile = profileOf.get(account.id)
      if (!profile) throw new Error('An account has no profile.')
      customers.push({
        accountId: account.id,
        email: account.email,
        methodId: methodOf.get(account.id) ?? 0,
        tokens: {
          'x-identity-key': storefront.apiKey,
          'x-auth-token': accountToken(keys, account, 86_400),
          'x-profile-token': profileToken(keys, profile, 86_400),
        },
      })
    }
  }
  return customers
}
