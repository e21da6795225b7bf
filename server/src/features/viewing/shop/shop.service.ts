import type { Asset } from '@ondine/contract/entities'
import type { Offer, OfferType, SoldType } from '@ondine/contract/offers'
import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { PreparedAnswer } from '../../../http/prepared-answer.ts'
import type { VatRates } from '../../../money/vat-rates.ts'
import { cardsOf } from '../../content/catalogue/cards.service.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import type { CatalogueParts } from '../../content/catalogue/catalogue.service.ts'
import { isIncluded, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { packagesOfChannels } from '../../rights/entitlements/packages.service.ts'
import type { CurrentOffer, OfferBook } from '../../rights/offers/offer-book.service.ts'
import { type AccountOffer, accountOffers } from '../../rights/orders/account-offers.service.ts'
import type { Buyer } from '../../rights/orders/cart.service.ts'
import { cartPromotions } from '../../rights/orders/cart-voucher.service.ts'
import type { PurchaseMemory } from '../../rights/orders/purchase-memory.ts'
import type { FindSubject } from '../../rights/orders/subjects.ts'
import { isListed, opensContent } from '../../rights/orders/unlocking-offers.service.ts'
import { hasTried, type OfferLists, type Sells } from './offer-list.ts'
import { presentAccountOffer, withTaken } from './shop.presenter.ts'

/** A query for offers: all offers of a type, or the offers that sell one content. */
export interface OfferWish {
  offerType?: OfferType | undefined
  contentId?: number | undefined
  contentType: SoldType
}

export interface ShopParts {
  db: Database
  catalogue: CatalogueParts
}

const NOTHING_TRIED: ReadonlySet<string> = new Set()

/** The title or channel that a call names. */
type Subject =
  | { asset: Asset }
  | { channelId: number; title: string; packageIds: readonly number[]; isNeedParentalCode: boolean }

/**
 * Returns the offers on sale for the reader, the cheapest first (A7.1-23, A9-03). A child's profile gets
 * none. A suspended account cannot buy (A6-03). For content that does not exist for the reader, returns no
 * offers.
 *
 * @throws ServiceError accountSuspended
 */
export async function availableOffers(
  parts: ShopParts & { lists: OfferLists; purchases: PurchaseMemory },
  { offerType, contentId, contentType }: OfferWish,
  { sells, ...reader }: Reader & { sells: Sells },
): Promise<Offer[] | PreparedAnswer> {
  const { viewer, language, now } = reader
  if (viewer.status === 'SUSPENDED') throw new ServiceError('accountSuspended')
  if (viewer.kid) return []
  const list = parts.lists.of(sells, language, now)
  const { accountId } = viewer
  const tried =
    accountId !== null && list.hasTrials ? (await parts.purchases.of(accountId, now)).tried : NOTHING_TRIED
  if (contentId === undefined)
    return list.answer(offerType, (offer) => holds(viewer, offer, undefined), tried)
  const subject = await subjectOf(parts, contentId, contentType, reader)
  if (subject === undefined) return []
  const asset = 'asset' in subject ? subject.asset : undefined
  const { packageIds } = 'asset' in subject ? subject.asset : subject
  const content = { kind: asset ? 'asset' : 'channel', id: contentId, packageIds } as const
  return list.offers
    .filter(
      ({ offer }) => (offerType === undefined || offer.type === offerType) && opensContent(offer, content),
    )
    .map(({ offer, presented }) =>
      withTaken(presented, {
        isHeld: holds(viewer, offer, subject),
        hasTried: hasTried(offer, tried),
        asset: offer.type === 'subscription' ? undefined : asset,
      }),
    )
}

async function subjectOf(
  { db, catalogue }: ShopParts,
  id: number,
  type: SoldType,
  reader: Reader,
): Promise<Subject | undefined> {
  if (type === 'VOD_ASSET') {
    const { assets } = await cardsOf(catalogue, { assetIds: [id], serieIds: [] }, reader)
    const asset = assets.get(id)
    return asset && { asset }
  }
  const items = await catalogue.channels.items(reader.viewer, reader.language, reader.now)
  const item = items.find(({ payload }) => payload.idChannel === id)
  if (item === undefined) return undefined
  const { title, isNeedParentalCode } = item.payload
  const packageIds = (await packagesOfChannels(db, id)).get(id) ?? []
  return { channelId: id, title, packageIds, isNeedParentalCode }
}

/** Returns the function by which orders look up titles and channels in the catalogue. */
export function subjectsOf(parts: ShopParts): FindSubject {
  return async ({ type, id }, reader) => {
    const subject = await subjectOf(parts, id, type, reader)
    if (subject === undefined) return undefined
    const { title, packageIds, isNeedParentalCode } = 'asset' in subject ? subject.asset : subject
    const view = await parts.catalogue.memory.view(reader)
    const row = type === 'VOD_ASSET' ? view.assetRow(id) : undefined
    return {
      titles: row?.titles ?? { [reader.language]: title },
      packageIds,
      isIncluded: isIncluded(reader.viewer, packageIds),
      isNeedParentalCode,
      isAvailable: !('asset' in subject) || isAvailable(subject.asset, reader.now),
    }
  }
}

/** Returns whether a purchase is useful: the film is ready, or the event is not over. */
function isAvailable(asset: Asset, now: number): boolean {
  const { availability, directMetadata } = asset
  return directMetadata.TS_ENDUTC === undefined ? availability.state === 'ready' : !isOver(asset, now)
}

/** Returns whether a title is an event that has ended. */
function isOver({ directMetadata: { TS_ENDUTC: end } }: Asset, now: number): boolean {
  return end !== undefined && Number(end) * 1000 <= now
}

/**
 * Returns the offers that the account has bought, ordered or put into its cart (A7.1-24). With `offerType`, only offers
 * of this type. Leaves out bought events that have ended.
 */
export async function listOptions(
  parts: ShopParts & { book: OfferBook; purchases: PurchaseMemory; vatRates: VatRates },
  { buyer, offerType }: { buyer: Buyer; offerType: OfferType | undefined },
): Promise<UserOffer[]> {
  const { book, catalogue, db, purchases, vatRates } = parts
  const { globalPromotion } = buyer.sells
  const known = await purchases.of(buyer.account.id, buyer.now)
  const all = accountOffers(known, buyer)
  // Leaves out offers in the cart that are no longer listed, because the subscription service now sells offers of
  // this type.
  const held = all.filter(
    ({ offer, statusId }) => statusId !== OFFER_VALIDITY.ordered || isListed(offer, buyer.sells),
  )
  // The whole cart is needed, because a fixed discount is taken off its first offers.
  const inCart = held.flatMap(({ offer, statusId, dueCents }) =>
    statusId === OFFER_VALIDITY.ordered && dueCents !== null ? [{ offer, dueCents }] : [],
  )
  // Reads the voucher from the database, because other accounts use its codes too.
  const promotions = known.hasVoucher ? await cartPromotions({ db, vatRates }, buyer, inCart) : []
  const wanted = held.filter(({ offer }) => offerType === undefined || offer.type === offerType)
  const assetIds = wanted.flatMap(({ assetId }) => assetId ?? [])
  const { assets } = await cardsOf(catalogue, { assetIds, serieIds: [] }, buyer)
  const assetOf = ({ assetId }: AccountOffer) => assets.get(assetId ?? 0)
  const present = wanted.filter((each) => {
    const asset = assetOf(each)
    return each.dueCents !== null || asset === undefined || !isOver(asset, buyer.now)
  })
  return present.map((each) =>
    presentAccountOffer(each, {
      language: buyer.language,
      book,
      asset: assetOf(each),
      hasTried: hasTried(each.offer, known.tried),
      promotionWords: each.offer.id === globalPromotion.offerId ? globalPromotion.discountDescription : {},
      promotions:
        each.statusId === OFFER_VALIDITY.ordered
          ? promotions.filter(({ item }) => item === each.offer.id)
          : [],
    }),
  )
}

/** Returns whether the viewer already has the content that the offer opens. */
function holds(
  viewer: Viewer,
  { terms: { opens, packageIds } }: CurrentOffer,
  subject: Subject | undefined,
): boolean {
  switch (opens.kind) {
    case 'packages':
      return packageIds.every((id) => viewer.packageIds.has(id))
    case 'season':
      return viewer.owned.categories.has(opens.categoryId)
    case 'channel':
      return viewer.owned.channels.has(opens.channelId)
    default: {
      const assetId = subject !== undefined && 'asset' in subject ? subject.asset.idAsset : opens.assetId
      return assetId !== undefined && viewer.owned.assets.has(assetId)
    }
  }
}
