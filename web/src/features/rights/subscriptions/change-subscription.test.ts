import type { PaymentMethod } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { keepPlan, needsMethod, payPlan, resumePlan, sayOutcome } from './change-subscription.ts'

const service = vi.hoisted(() => ({
  methods: [] as unknown[],
  orderStatus: 'submitted',
  next: 'renews',
  asked: [] as Record<string, unknown>[],
}))
vi.mock('../../../api/call.ts', () => ({
  call: async ({ name }: { name: string }, input: Record<string, unknown>) => {
    if (name === 'listPaymentMethods') return service.methods
    if (name === 'checkOrderStatus') return { orderStatus: service.orderStatus }
    if (name === 'resumeSubscription' || name === 'undoChange') return { next: { step: service.next } }
    service.asked.push({ name, ...input })
    return { action: 'https://checkout.stripe.test/1', amount: '8.99', orderId: 1 }
  },
}))
const left = vi.hoisted((): string[] => [])
vi.mock('../../../api/native.ts', () => ({ leaveFor: (address: string) => void left.push(address) }))
vi.mock('../../ground/links/return-address.ts', () => ({
  returnAddress: (path: string) => new URL(path, 'http://localhost'),
}))
vi.mock('../../people/parental/ask-code.ts', () => ({
  withParentalCode: async (work: (proof?: string) => Promise<unknown>) => await work(),
}))

vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => bundledWords('fra') }))
const said = vi.hoisted((): string[] => [])
vi.mock('../../ground/notices/notice.ts', () => ({
  notify: ({ text }: { text: string }) => void said.push(text),
}))

beforeEach(() => {
  said.length = 0
  service.asked.length = 0
  left.length = 0
})

const stripe: PaymentMethod = {
  brandBillingProviderId: 6,
  paymentProvider: 'stripe',
  paymentBrand: 'card',
  paymentMethod: 'new',
  label: null,
  lastUsage: null,
  hasDashboard: true,
}
const saved: PaymentMethod = { ...stripe, paymentBrand: 'visa', paymentMethod: 'saved-3', label: '•••• 0341' }
// `payPlan` reads only the id.
const subscription = { id: 4 } as Subscription

test('a renewal is paid with a new card at the provider that the service offers', async () => {
  service.methods = [saved, stripe]
  await payPlan(new QueryClient(), subscription)
  expect(service.asked).toMatchObject([
    {
      name: 'payRenewal',
      subscriptionId: 4,
      paymentData: '{"brandBillingProviderId":6}',
      paymentProvider: 'stripe',
      paymentMethod: 'new',
    },
  ])
  expect(left).toEqual(['https://checkout.stripe.test/1'])
})

test('a resumed or kept plan is said to go on only if it does: without a card, it ends', async () => {
  const plan = { id: 4, title: 'Grand' } as Subscription
  for (const next of ['ends', 'renews']) {
    service.next = next
    await resumePlan(new QueryClient(), plan)
    await keepPlan(new QueryClient(), plan)
  }
  const { t } = bundledWords('fra')
  expect(said).toEqual([t('products.resumed', { title: 'Grand' }), t('products.kept', { title: 'Grand' })])
})

test('a later change of plan asks for a card only if none was ever chosen, even if all cards were removed', () => {
  const later = { starts: 'nextPeriod' as const, amount: '6.00' }
  const removed = { isCardChosen: true, method: null }
  expect(needsMethod(removed, later)).toBe(false)
  expect(needsMethod({ isCardChosen: false }, later)).toBe(true)
  expect(needsMethod({ isCardChosen: false }, { ...later, amount: '0.00' })).toBe(false)
  expect(needsMethod(removed, { starts: 'now', amount: '6.00' })).toBe(true)
})

test('a renewal is asked for without a method if the service offers none, which it refuses', async () => {
  const queries = new QueryClient()
  queries.setQueryData(paymentMethodsQuery.queryKey, [stripe])
  service.methods = []
  await payPlan(queries, subscription)
  expect(service.asked[0]).not.toHaveProperty('paymentData')
})

test.each([
  ['submitted', true, 'Vous avez quitté la page de paiement, et rien n’a été payé.'],
  ['submitted', false, 'Votre banque traite le paiement. Rechargez cette page dans un instant.'],
  ['executed', true, 'Le paiement a abouti.'],
  ['failed', true, 'L’achat n’a pas abouti. Si votre carte a été débitée, la somme vous est rendue.'],
])('A4.8-09 an order that is %s, after the page was left: %s, is told', async (state, hasLeft, text) => {
  service.orderStatus = state
  await sayOutcome(new QueryClient(), 1, hasLeft)
  expect(said).toEqual([text])
})
