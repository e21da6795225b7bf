import { isDeepStrictEqual } from 'node:util'
import {
  availableOffers,
  importOffers,
  listOffers,
  migrateOffer,
  readOffer,
  withdrawOffer,
} from '@ondine/contract/offers'
import { listOptions } from '@ondine/contract/orders'
import type { Context } from '../../../context.ts'
import { invalidFields, notFoundBy } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { revisionsOf, withdrawOffer as withdraw } from '../../rights/offers/offers.service.ts'
import { promotionFaults } from '../../rights/offers/promotions.service.ts'
import { buyerOf } from '../../rights/orders/cart.service.ts'
import { migrateOffer as migrate } from '../../rights/orders/offer-migration.service.ts'
import { importOffers as takeOffers } from './offer-import.service.ts'
import { OfferLists } from './offer-list.ts'
import { presentOperated } from './shop.presenter.ts'
import * as shop from './shop.service.ts'

export function registerShop(on: On, context: Context): void {
  const { viewers, catalogue, configurations, offers: book, purchases, db, settings } = context
  const lists = new OfferLists(book)

  configurations.requireOfChanges((wanted, present) => {
    const { globalPromotion } = wanted.offers
    // An unchanged promotion is not checked again. The offer of the promotion may have changed meanwhile, which
    // must not block other changes of the configuration.
    if (isDeepStrictEqual(globalPromotion, present.offers.globalPromotion)) return []
    return promotionFaults(book, globalPromotion).map(({ field, message }) => ({
      path: `offers.globalPromotion.${field}`,
      message,
    }))
  })

  on(
    availableOffers,
    async (wish, call) =>
      await shop.availableOffers({ db, lists, catalogue, purchases }, wish, {
        viewer: await viewers.of(call, call.now),
        language: call.language,
        now: call.now,
        sells: configurations.of(call.storefront.id).offers,
      }),
    { sharedAmongVisitors: true },
  )

  on(listOptions, async ({ offerType, parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    return await shop.listOptions(
      { db, book, purchases, catalogue, vatRates: settings.VAT_RATES },
      { buyer, offerType },
    )
  })

  on(importOffers, async ({ file }) => {
    const { faults, ...put } = await takeOffers(context, file)
    if (faults.length > 0)
      throw invalidFields(
        faults.map(({ line, reason }) => ({ field: 'file', message: `line ${line}: ${reason}` })),
      )
    // The notice of the change may arrive after the operator's next call, which must see the change.
    await book.refresh()
    return put
  })

  on(listOffers, (_input, { now }) => book.list().map((offer) => presentOperated(offer, now)))

  on(readOffer, async ({ key }, { now }) => {
    const offer = book.ofKey(key)
    if (!offer) throw notFoundBy('key')
    const revisions = await revisionsOf(db, offer.id)
    return {
      ...presentOperated(offer, now),
      revisions: revisions.map(({ number, madeAt, terms }) => ({
        revision: number,
        madeAt: Math.floor(madeAt / 1000),
        terms: { ...terms },
      })),
    }
  })

  on(migrateOffer, async ({ key, from, dryRun: isDry = false }, { now }) => {
    // Another process may have imported the offer a moment ago.
    await book.refresh()
    const offer = book.ofKey(key)
    if (!offer) throw notFoundBy('key')
    const migrated = await migrate(db, { offer, from, isDry, now })
    return { ...migrated, from: Math.floor(migrated.from / 1000) }
  })

  on(withdrawOffer, async ({ key }, { now }) => {
    if (!(await withdraw(db, key, now))) throw notFoundBy('key')
    await book.refresh()
    const offer = book.ofKey(key)
    if (!offer) throw notFoundBy('key')
    return presentOperated(offer, now)
  })
}
