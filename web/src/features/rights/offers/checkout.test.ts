// @vitest-environment happy-dom
import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { buyInStore } from './buy-in-store.ts'
import { Checkout } from './checkout.tsx'
import { buildPlan } from './offer-builder.ts'
import { PendingPurchase } from './store-pending.ts'

const navigate = vi.hoisted(() => vi.fn())
const amounts = vi.hoisted(() => ({ full: 499, discount: 0, due: 499 }))
const consumerRules = vi.hoisted(() => ({ isRenewalShown: false }))

vi.mock('@tanstack/react-query', () => ({ useQueryClient: () => ({}) }))
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))
vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn(async () => undefined) } }))
vi.mock('../../../words/place.tsx', () => ({ usePlace: () => ({ language: 'fra' }) }))
vi.mock('../../../design/time/use-hour.ts', () => ({ useHour: () => 0 }))
vi.mock('../../ground/configuration/use-configuration.ts', () => ({
  useConfiguration: () => ({ offers: { consumerRules, isCardAskedForTrial: false } }),
}))
vi.mock('../../ground/errors/alert-error.ts', () => ({ alertError: vi.fn(async () => undefined) }))
vi.mock('../../ground/links/content-link.ts', () => ({ pathOf: (page: string) => page }))
vi.mock('../vouchers/cart-voucher.tsx', () => ({ CartVoucher: () => null }))
vi.mock('../vouchers/voucher-amounts.ts', () => ({ cartAmounts: () => amounts }))
vi.mock('./cart.ts', () => ({ heldOffers: vi.fn(), submitCart: vi.fn() }))
vi.mock('./payment-methods.tsx', () => ({ PaymentMethods: () => null }))
vi.mock('./buy-in-store.ts', () => ({ buyInStore: vi.fn() }))
vi.mock('./store-product.ts', () => ({ storeProduct: () => ({ id: 'tv.rental', isSubscription: false }) }))

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

/** Shows the cart of a purchase in the device's store. */
async function show(lines: UserOffer[] = []): Promise<void> {
  const content = { contentId: 1, contentType: 'VOD_ASSET' } as const
  const cart = {
    lines,
    methods: [],
    isSubmitted: false,
    voucher: undefined,
    refusal: undefined,
    parentalProof: undefined,
    content,
  }
  const props = {
    cart,
    onBegun: () => {},
    onVoucher: () => {},
    onWithdrawn: () => {},
    children: null,
  }
  await act(async () => root.render(createElement(Checkout, props)))
}

/** Presses the button to pay for a film in the device's store. */
async function pay(): Promise<void> {
  await show()
  await act(async () => document.querySelector('button')?.click())
}

test('A4.8-04 the free trial of a plan in the store shows its renewals', async () => {
  Object.assign(amounts, { full: 0, due: 0 })
  consumerRules.isRenewalShown = true
  const trial: UserOffer = {
    ...buildPlan(),
    source: 'order',
    statusId: OFFER_VALIDITY.ordered,
    userValidityPending: true,
    inCart: true,
    cartPrice: '0.00',
    cartRenewals: [{ priceWithVat: '5.99', at: 1_795_212_000 }],
    cartTrialDays: 14,
    cartValidPromotions: [],
    userValidityFrom: null,
    userValidityTo: null,
  }
  try {
    await show([trial])
    expect(document.body.textContent).toContain('cart.renews')
  } finally {
    Object.assign(amounts, { full: 499, due: 499 })
    consumerRules.isRenewalShown = false
  }
})

test('A7.3-01 a purchase that waits for an approval is a notice, not an error', async () => {
  vi.mocked(buyInStore).mockRejectedValue(new PendingPurchase('Transaction pending'))
  await pay()
  await vi.waitFor(() =>
    expect(modal.open).toHaveBeenCalledExactlyOnceWith('alert', {
      title: 'pendingTitle',
      description: 'pending',
    }),
  )
  expect(alertError).not.toHaveBeenCalled()
  expect(navigate).not.toHaveBeenCalled()
})

test('A7.3-01 a failed purchase is an error', async () => {
  const error = new Error('The store is closed')
  vi.mocked(buyInStore).mockRejectedValue(error)
  await pay()
  await vi.waitFor(() => expect(alertError).toHaveBeenCalledExactlyOnceWith(error))
  expect(modal.open).not.toHaveBeenCalled()
})
