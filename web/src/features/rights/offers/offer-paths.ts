import type { SoldType } from '@ondine/contract/offers'
import { slugWithId } from '@ondine/contract/slugs'
import { pathOf } from '../../ground/links/content-link.ts'

/** Returns the path of an offer's page, with the offer's title and id (A2.1-22). */
export function offerPath({ title, idOption }: { title: string; idOption: number }): string {
  return pathOf('offers-details', { slug: slugWithId(title, idOption) })
}

/** A title or a channel that is sold. */
export interface SoldContent {
  contentId: number
  contentType: SoldType
}

/**
 * The content that the viewer wants in the cart: offers, or a title or channel for which the cart selects an
 * offer.
 */
export interface Wish {
  offerIds: readonly number[]
  /** The title or channel to buy (A2.1-23). */
  contentId?: number | undefined
  contentType?: SoldType | undefined
}

/**
 * Returns the title or channel of a single purchase; undefined without an id. If the type is missing, the content
 * is a title.
 */
export function soldContent({
  contentId,
  contentType = 'VOD_ASSET',
}: Pick<Wish, 'contentId' | 'contentType'>): SoldContent | undefined {
  return contentId === undefined ? undefined : { contentId, contentType }
}

/**
 * Returns the path of a cart with these offers. The offers are part of the path, so the cart still has them after
 * a sign-in.
 */
export function cartPath({ offerIds, contentId, contentType = 'VOD_ASSET' }: Wish): string {
  const query = new URLSearchParams()
  if (offerIds.length > 0)
    query.set('offerId', offerIds.length === 1 ? `${offerIds[0]}` : JSON.stringify(offerIds))
  if (contentId !== undefined) {
    query.set('contentId', String(contentId))
    query.set('contentType', contentType)
  }
  return `${pathOf('offers-cart')}?${query}`
}

/** Returns the path of the screen where an offer is bought at the subscription service (A2.1-24). */
export function checkoutPath(offerId: number): string {
  return `${pathOf('offers-checkout')}?offerId=${offerId}`
}
