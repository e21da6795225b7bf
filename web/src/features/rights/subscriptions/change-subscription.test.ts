// @vitest-environment happy-dom
import type { PaymentMethod } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import type { Place } from '../../../words/format.ts'
import { ORDER_POLL_MS } from '../orders/watch-payment.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { keepPlan, needsMethod, payPlan, resumePlan, sayOutcome } from './change-subscription.ts'

const service = vi.hoisted(() => ({
  methods: [] as unknown[],
  orderStatus: 'submitted',
  action: null as string | null,
  next: 'renews',
  payment: null as { action: string | null; orderId: number } | null,
  asked: [] as Record<string, unknown>[],
}))
vi.mock('../../../api/call.ts', () => ({
  call: async ({ name }: { name: string }, input: Record<string, unknown>) => {
    if (name === 'listPaymentMethods') return service.methods
    if (name === 'checkOrderStatus') return { orderStatus: service.orderStatus }
    if (name === 'undoChange') return { next: { step: service.next } }
    if (name === 'resumeSubscription') {
      service.asked.push({ name, ...input })
      return { next: { step: service.next }, payment: service.payment }
    }
    service.asked.push({ name, ...input })
    return { action: service.action, amount: '8.99', orderId: 1 }
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

/** The index of the payment method that the viewer chooses, and the names of the offered methods. */
const asked = vi.hoisted(() => ({ answer: null as number | null, names: [] as string[][] }))
vi.mock('../../../modals/modal.ts', () => ({
  modal: {
    open: async (_kind: string, { methods }: { methods: { name: string }[] }) => {
      asked.names.push(methods.map(({ name }) => name))
      return asked.answer
    },
  },
}))

const FRENCH: Place = { language: 'fra', timeZone: 'Europe/Paris' }

/** The purchases that the operator's scripts have counted. */
const told: unknown[] = []
window.addEventListener('ondine:purchase', (event) => told.push((event as CustomEvent).detail))

beforeEach(() => {
  said.length = 0
  service.asked.length = 0
  service.payment = null
  asked.answer = null
  asked.names.length = 0
  left.length = 0
  told.length = 0
  sessionStorage.clear()
  service.action = 'https://checkout.stripe.test/1'
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
  const plan = { id: 4, title: 'Grand', isCardChosen: true } as Subscription
  for (const next of ['ends', 'renews']) {
    service.next = next
    await resumePlan(new QueryClient(), plan, FRENCH)
    await keepPlan(new QueryClient(), plan)
  }
  const { t } = bundledWords('fra')
  expect(said).toEqual([t('products.resumed', { title: 'Grand' }), t('products.kept', { title: 'Grand' })])
})

test('a plan without a card is resumed with the card that the viewer chooses, and not without one', async () => {
  const next = { step: 'ends', at: 1_765_000_000, amount: '8.99' }
  const plan = { id: 4, title: 'Grand', isCardChosen: false, next } as Subscription
  service.methods = [saved, stripe]
  service.next = 'renews'
  service.payment = null
  await resumePlan(new QueryClient(), plan, FRENCH)
  expect(service.asked).toEqual([])
  asked.answer = 0
  await resumePlan(new QueryClient(), plan, FRENCH)
  expect(service.asked).toMatchObject([{ name: 'resumeSubscription', paymentMethod: 'saved-3' }])
  expect(said).toEqual([bundledWords('fra').t('products.resumed', { title: 'Grand' })])
  asked.answer = 1
  service.payment = { action: 'https://checkout.stripe.test/2', orderId: 5 }
  await resumePlan(new QueryClient(), plan, FRENCH)
  expect(service.asked[1]).toMatchObject({
    paymentMethod: 'new',
    returnUrl: 'http://localhost/account/products?card=1',
  })
  expect(left).toEqual(['https://checkout.stripe.test/2'])
  expect(asked.names[0]).toEqual(['Visa •••• 0341', bundledWords('fra').t('cart.newCard')])
})

test('a plan that costs nothing is resumed without a card', async () => {
  const free = { id: 4, title: 'Grand', isCardChosen: false, next: { amount: '0.00' } } as Subscription
  await resumePlan(new QueryClient(), free, FRENCH)
  expect(service.asked).toMatchObject([{ name: 'resumeSubscription', subscriptionId: 4 }])
  expect(service.asked[0]).not.toHaveProperty('paymentData')
})

test('a saved card is no purchase, and the viewer is told that the plan goes on', async () => {
  service.orderStatus = 'executed'
  await sayOutcome(new QueryClient(), 90, { savesCard: true })
  service.orderStatus = 'expired'
  await sayOutcome(new QueryClient(), 91, { savesCard: true })
  const { t } = bundledWords('fra')
  expect(said).toEqual([t('products.cardSaved'), t('products.cardNotSaved')])
  expect(told).toEqual([])
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
  ['executed', true, 'Le paiement a abouti.'],
  ['failed', true, 'L’achat n’a pas abouti. Si votre carte a été débitée, la somme vous est rendue.'],
])('A4.8-09 an order that is %s, after the page was left: %s, is told', async (state, hasLeft, text) => {
  service.orderStatus = state
  await sayOutcome(new QueryClient(), 2, { hasLeft })
  expect(said).toEqual([text])
  expect(told).toEqual(state === 'executed' ? [{ orderId: 2 }] : [])
})

test('A4.8-05 A4.8-07 a payment that the bank still processes says so, then how it ended, and counts', async () => {
  vi.useFakeTimers()
  try {
    service.orderStatus = 'to_execute'
    await sayOutcome(new QueryClient(), 4)
    const waiting = 'Votre banque traite le paiement. Cette page se met à jour toute seule.'
    expect(said).toEqual([waiting])
    await vi.advanceTimersByTimeAsync(ORDER_POLL_MS)
    expect(told).toEqual([])
    service.orderStatus = 'executed'
    await vi.advanceTimersByTimeAsync(ORDER_POLL_MS)
    expect(said).toEqual([waiting, 'Le paiement a abouti.'])
    expect(told).toEqual([{ orderId: 4 }])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('A4.8-07 a renewal that needs no payment page says how it ended, and counts as one purchase, also after the page was loaded again', async () => {
  service.methods = [stripe]
  service.orderStatus = 'executed'
  service.action = null
  await payPlan(new QueryClient(), subscription)
  expect(said).toEqual(['Le paiement a abouti.'])
  vi.resetModules()
  const again = await import('./change-subscription.ts')
  await again.sayOutcome(new QueryClient(), 1)
  expect(told).toEqual([{ orderId: 1 }])
})

test('A4.8-07 a purchase counts once where the browser blocks the storage of the tab', async () => {
  service.orderStatus = 'executed'
  const blocked = vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  await sayOutcome(new QueryClient(), 3)
  await sayOutcome(new QueryClient(), 3)
  blocked.mockRestore()
  expect(told).toEqual([{ orderId: 3 }])
})
