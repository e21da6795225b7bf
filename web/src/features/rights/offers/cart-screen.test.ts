// @vitest-environment happy-dom
import { listContent } from '@ondine/contract/catalogue'
import {
  addOptions,
  askPayment,
  checkOrderStatus,
  listOptions,
  OFFER_VALIDITY,
  type OrderState,
  type UserOffer,
} from '@ondine/contract/orders'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { isNative, leaveFor } from '../../../api/native.ts'
import { modal } from '../../../modals/modal.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { reportBegunOrder } from './begun-order.ts'
import { CartScreen } from './cart-screen.tsx'
import { buildPlan } from './offer-builder.ts'
import type { Wish } from './offer-paths.ts'

const navigate = vi.hoisted(() => vi.fn())

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<typeof import('@tanstack/react-router')>()),
  useNavigate: () => navigate,
  useHydrated: () => true,
}))
vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string, { titles = '' } = {}) => `${key}${titles && ` ${titles}`}` }),
}))
vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/native.ts', () => ({ isNative: vi.fn(), leaveFor: vi.fn() }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn(async () => undefined) } }))
vi.mock('../../../words/place.tsx', () => ({ usePlace: () => ({ language: 'fra' }) }))
vi.mock('../../../design/time/use-hour.ts', () => ({ useHour: () => 0 }))
vi.mock('../../ground/configuration/use-configuration.ts', () => ({
  useConfiguration: () => ({ offers: { consumerRules: {}, isCardAskedForTrial: false } }),
}))
vi.mock('../../ground/errors/alert-error.ts', () => ({ alertError: vi.fn(async () => undefined) }))
vi.mock('../../ground/links/content-link.ts', () => ({ pathOf: (page: string) => page }))
vi.mock('../../ground/links/return-address.ts', () => ({
  returnAddress: () => new URL('https://ondine.test/offers/confirmation'),
}))
vi.mock('../../people/parental/ask-code.ts', () => ({
  withParentalCode: async (run: (proof?: string) => unknown) => await run(undefined),
}))
vi.mock('../vouchers/cart-voucher.tsx', () => ({ CartVoucher: () => null }))
vi.mock('./cart-options.tsx', () => ({ CartOptions: () => null }))
vi.mock('./payment-methods.tsx', () => ({ PaymentMethods: () => null }))
vi.mock('./store-product.ts', () => ({ storeProduct: () => undefined }))

const NOT_ON_SALE = new ApiError({ code: -1605, status: 403, message: 'not on sale' })

/** The service: its offers on sale, the cart of the account, and its answer to a payment. */
const service = {
  sold: new Set<number>(),
  cart: [] as number[],
  line: {} as Partial<UserOffer>,
  payment: undefined as unknown,
  orderStatus: 'executed' as OrderState,
}

/** Answers a call as the service does. */
async function serve(operation: unknown, input: unknown): Promise<unknown> {
  if (operation === addOptions) {
    const { optionIds } = input as { optionIds: number[] }
    if (optionIds.some((id) => !service.sold.has(id))) throw NOT_ON_SALE
    service.cart = optionIds
    return null
  }
  if (operation === listOptions)
    return service.cart.map((idOption) => ({ ...line(idOption), ...service.line }))
  if (operation === listContent) return [{ type: 'asset', payload: { idAsset: 9 } }]
  if (operation === checkOrderStatus) return { orderStatus: service.orderStatus }
  if (operation !== askPayment)
    return [{ paymentProvider: 'sandbox', paymentMethod: 'saved-1', paymentBrand: 'visa' }]
  if (service.payment !== undefined) return service.payment
  service.cart = service.cart.filter((id) => service.sold.has(id))
  throw NOT_ON_SALE
}

function line(idOption: number): UserOffer {
  return {
    ...buildPlan({ idOption, title: `Plan ${idOption}` }),
    source: 'order',
    statusId: OFFER_VALIDITY.ordered,
    userValidityPending: true,
    inCart: true,
    cartPrice: '5.99',
    cartRenewals: [],
    cartTrialDays: 0,
    cartValidPromotions: [],
    userValidityFrom: null,
    userValidityTo: null,
  }
}

let root: Root
let queries: QueryClient

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.mocked(call).mockImplementation(serve)
  service.line = {}
  service.payment = undefined
  service.orderStatus = 'executed'
  localStorage.clear()
  vi.mocked(isNative).mockReturnValue(false)
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

/** Shows the cart of an address. */
async function show(wish: Wish): Promise<void> {
  const screen = createElement(CartScreen, { wish, empty: 'nothing' })
  await act(async () => root.render(createElement(QueryClientProvider, { client: queries }, screen)))
}

const shown = () => document.body.textContent ?? ''

/** Opens an address with these offers, and pays after offers were withdrawn. @returns the offers of the new address */
async function payAfter(offerIds: number[], withdrawn: number[]): Promise<number[]> {
  service.sold = new Set(offerIds)
  await show({ offerIds })
  await vi.waitFor(() => expect(shown()).toContain(`Plan ${offerIds.at(-1)}`))
  for (const id of withdrawn) service.sold.delete(id)
  await act(async () => document.querySelector('button')?.click())
  await vi.waitFor(() => expect(navigate).toHaveBeenCalledOnce())
  return navigate.mock.lastCall?.[0].search.offerId
}

test('A2.1-23 a cart whose address names a withdrawn offer continues with the other offers', async () => {
  const offerIds = await payAfter([4, 6], [6])
  expect(offerIds).toEqual([4])
  expect(modal.open).toHaveBeenCalledExactlyOnceWith('alert', {
    title: 'changedTitle',
    description: 'withdrawn Plan 6',
  })
  await show({ offerIds })
  await vi.waitFor(() => expect(shown()).not.toContain('Plan 6'))
  expect(shown()).toContain('Plan 4')
  expect(alertError).not.toHaveBeenCalled()
})

test('A2.1-23 a cart of which every offer was withdrawn is empty', async () => {
  const offerIds = await payAfter([4], [4])
  expect(offerIds).toEqual([])
  await show({ offerIds })
  await vi.waitFor(() => expect(shown()).toBe('nothing'))
  expect(alertError).not.toHaveBeenCalled()
})

test('A4.8-04 the native app opens the page of a bank that asks for a confirmation, and can open it again', async () => {
  vi.mocked(isNative).mockReturnValue(true)
  vi.stubGlobal('scrollTo', () => {})
  service.sold = new Set([4])
  service.payment = { action: 'https://bank.test/1', amount: '5.99', orderId: 1 }
  await show({ offerIds: [4] })
  await vi.waitFor(() => expect(shown()).toContain('Plan 4'))
  await act(async () => document.querySelector('button')?.click())
  await vi.waitFor(() => expect(shown()).toContain('askedTitle'))
  expect(leaveFor).not.toHaveBeenCalled()
  for (const times of [1, 2]) {
    await act(async () => document.querySelector('button')?.click())
    expect(shown()).toContain('paymentOpen')
    expect(leaveFor).toHaveBeenCalledTimes(times)
    expect(leaveFor).toHaveBeenLastCalledWith('https://bank.test/1')
  }
})

test('A4.8-07 a purchase that is paid after its cart was closed is reported once, on a later visit', async () => {
  const reported: unknown[] = []
  const stopped = new AbortController()
  addEventListener('ondine:purchase', (event) => reported.push((event as CustomEvent).detail), stopped)
  vi.stubGlobal('scrollTo', () => {})
  service.sold = new Set([4])
  service.payment = { action: 'https://bank.test/1', amount: '5.99', orderId: 1 }
  service.orderStatus = 'submitted'
  await show({ offerIds: [4] })
  await vi.waitFor(() => expect(shown()).toContain('Plan 4'))
  await act(async () => document.querySelector('button')?.click())
  await vi.waitFor(() => expect(shown()).toContain('askedTitle'))
  await act(async () => root.render(null))
  for (const orderStatus of ['submitted', 'to_execute', 'executed', 'executed'] as const) {
    service.orderStatus = orderStatus
    await reportBegunOrder(queries)
    expect(reported).toEqual(orderStatus === 'executed' ? [{ orderId: 1 }] : [])
  }
  stopped.abort()
})

test.each([
  ['title', { offerType: 'transactional', idAsset: 7 }, { contentId: 7, contentType: 'VOD_ASSET' }],
  [
    'channel',
    { offerType: 'ppv', objectIds: { package: [], channel: [8] } },
    { contentId: 8, contentType: 'CHANNEL' },
  ],
  [
    'season',
    { offerType: 'transactional', objectIds: { package: [], channel: [], season: [5] } },
    { contentId: 9, contentType: 'VOD_ASSET' },
  ],
  ['plan', {}, {}],
] as const)(
  'A2.1-25 A4.8-08 the purchase of a %s is confirmed as such, even if the address of the cart does not name it',
  async (_what, differences, content) => {
    vi.stubGlobal('scrollTo', () => {})
    service.sold = new Set([4])
    service.cart = [4]
    service.line = { ...differences } as Partial<UserOffer>
    service.payment = { action: null, amount: '5.99', orderId: 1 }
    await show({ offerIds: [] })
    await vi.waitFor(() => expect(shown()).toContain('Plan 4'))
    await act(async () => document.querySelector('button')?.click())
    await vi.waitFor(() =>
      expect(navigate.mock.lastCall).toMatchObject([{ to: 'offers-confirmation', search: { orderId: 1 } }]),
    )
    expect(navigate.mock.lastCall?.[0].search).toEqual({ orderId: 1, ...content })
    const [, sent] = vi.mocked(call).mock.calls.find(([operation]) => operation === askPayment) ?? []
    const { searchParams } = new URL(String(Reflect.get(sent ?? {}, 'returnUrl')))
    expect(Object.fromEntries(searchParams)).toEqual(
      Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)])),
    )
  },
)
