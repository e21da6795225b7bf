import { amountText } from '@ondine/contract/money'
import type { OutputOf } from '@ondine/contract/operation'
import {
  addOptions,
  askPayment,
  listOptions,
  listPaymentMethods,
  OFFER_VALIDITY,
  type PaymentMethod,
  type UserOffer,
} from '@ondine/contract/orders'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { returnAddress } from '../../ground/links/return-address.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { sentMethod } from '../payments/sent-method.ts'
import { tryVoucher, type Voucher } from '../vouchers/try-voucher.ts'
import { cartAmounts } from '../vouchers/voucher-amounts.ts'
import { firstEpisodeQuery, seasonOf } from './first-episode.ts'
import { type SoldContent, soldContent, type Wish } from './offer-paths.ts'
import { offersOfQuery } from './offers-query.ts'

/** The offers in the cart, and the payment methods. */
export interface Cart {
  lines: UserOffer[]
  methods: PaymentMethod[]
  /**
   * Whether the cart was submitted as an order. Until the order ends, the prices and the voucher do not change.
   */
  isSubmitted: boolean
  voucher: Voucher | undefined
  /** The reason why the voucher code does not apply, in words. */
  refusal: string | undefined
  /** The proof of the parental code, if the purchase requires it. */
  parentalProof: string | undefined
  /** The title or channel of a single purchase; undefined if the cart has a subscription. */
  content: SoldContent | undefined
}

/**
 * Replaces the content of the cart by the offers that the viewer wants, and returns the cart (A4.8-01). Without
 * such offers, returns the cart unchanged. Returns null if the viewer did not enter the parental code that the
 * purchase requires.
 *
 * @param code the voucher's code. Required each time, because the service removes the voucher at each change of
 * the cart
 */
export function cartQuery(queries: QueryClient, wish: Wish, code: string | undefined) {
  return queryOptions({
    queryKey: ['cart', wish, code] as const,
    queryFn: () => openCart(queries, wish, code),
    // Fetched each time the screen of the cart opens, and not again while it is open.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

async function openCart(queries: QueryClient, wish: Wish, code: string | undefined): Promise<Cart | null> {
  const { contentId, contentType = 'VOD_ASSET' } = wish
  const optionIds = await wishedIds(queries, wish)
  let parentalProof: string | undefined
  if (optionIds.length > 0) {
    const extra = contentId === undefined ? undefined : { context: { contentId, contentType } }
    const added = await withParentalCode(async (proof) => {
      await call(addOptions, { optionIds, resetOrder: true, extra, parentalProof: proof })
      parentalProof = proof
      return true
    })
    if (added === null) return null
  } else if (contentId !== undefined) {
    return { ...NO_VOUCHER, lines: [], methods: [], isSubmitted: false, parentalProof, content: undefined }
  }
  const [options, methods] = await Promise.all([
    call(listOptions, { parentalProof }),
    call(listPaymentMethods, { parentalProof }),
  ])
  const lines = options.filter(({ inCart }) => inCart)
  const isSubmitted = lines.some(({ statusId }) => statusId === OFFER_VALIDITY.pendingPayment)
  const tried =
    code === undefined || isSubmitted || lines.length === 0 ? {} : await tryVoucher(code, parentalProof)
  const content = await contentOf(queries, lines, wish)
  return { ...NO_VOUCHER, ...tried, lines, methods, isSubmitted, parentalProof, content }
}

const NO_VOUCHER = { voucher: undefined, refusal: undefined }

/**
 * Returns the ids of the offers that the viewer wants. For a title or channel without an offer, returns its
 * cheapest offer for a single purchase (A2.1-23).
 */
async function wishedIds(
  queries: QueryClient,
  { offerIds, contentId, contentType }: Wish,
): Promise<number[]> {
  if (offerIds.length > 0 || contentId === undefined) return [...offerIds]
  const offers = await queries.fetchQuery(offersOfQuery(contentId, contentType))
  return offers
    .filter(({ offerType }) => offerType !== 'subscription')
    .slice(0, 1)
    .map(({ idOption }) => idOption)
}

/**
 * Returns the title or channel of the single purchase in a cart; undefined for a cart with subscriptions. The line of
 * a season names no title, so its first episode is fetched.
 */
async function contentOf(
  queries: QueryClient,
  lines: readonly UserOffer[],
  wish: Wish,
): Promise<SoldContent | undefined> {
  const single = lines.find(({ offerType }) => offerType !== 'subscription')
  if (single === undefined) return undefined
  const { idAsset, objectIds } = single
  const [channelId] = objectIds.channel
  const seasonId = seasonOf(objectIds)
  return (
    soldContent(wish) ??
    soldContent({ contentId: idAsset ?? undefined }) ??
    soldContent({ contentId: channelId, contentType: 'CHANNEL' }) ??
    (seasonId === undefined
      ? undefined
      : soldContent({ contentId: (await queries.fetchQuery(firstEpisodeQuery(seasonId)))?.idAsset }))
  )
}

/** Returns the ids of the offers that the service still has in the cart, after it has removed others. */
export async function heldOffers({ parentalProof }: Pick<Cart, 'parentalProof'>): Promise<number[]> {
  const options = await call(listOptions, { parentalProof })
  return options.filter(({ inCart }) => inCart).map(({ idOption }) => idOption)
}

/** Returns the lines and amounts that the cart shows. The service refuses an order that differs from them. */
export function seenCart({ lines, voucher }: Pick<Cart, 'lines' | 'voucher'>) {
  return {
    amount: amountText(cartAmounts(lines, voucher?.promotions ?? []).due),
    renewals: lines.flatMap(({ cartRenewals }) => cartRenewals.map(({ priceWithVat }) => priceWithVat)),
    lines: lines.map(({ idOption, idAsset }) => ({ idOption, idAsset })),
  }
}

/** The result of {@link submitCart}. */
export type AskedPayment = OutputOf<typeof askPayment>

/**
 * Submits the cart, and starts its payment (A7.1-30). Returns null if the viewer did not enter the parental code
 * that the purchase requires.
 *
 * @param method the payment method; undefined if nothing is due now and the viewer gives no card
 */
export async function submitCart(
  cart: Cart,
  method: PaymentMethod | undefined,
): Promise<AskedPayment | null> {
  const returnTo = returnAddress(pathOf('offers-confirmation'))
  for (const [name, value] of Object.entries(cart.content ?? {}))
    returnTo.searchParams.set(name, String(value))
  return await withParentalCode(
    async (parentalProof = cart.parentalProof) =>
      await call(askPayment, {
        returnUrl: returnTo.href,
        policyValidation: true,
        parentalProof,
        voucher: cart.voucher?.code,
        ...seenCart(cart),
        ...(method && sentMethod(method)),
      }),
  )
}
