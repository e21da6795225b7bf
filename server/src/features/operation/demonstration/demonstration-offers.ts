import { readFile } from 'node:fs/promises'
import { eventAt } from '@ondine/demo/event'
import { isSeq, parseDocument, type Scalar, type YAMLMap } from 'yaml'
import type { Context } from '../../../context.ts'
import { importVouchers } from '../../rights/vouchers/voucher-import.service.ts'
import { findContent } from '../../viewing/shop/named-content.service.ts'
import { importOffers } from '../../viewing/shop/offer-import.service.ts'

const OFFERS = new URL('./offers.yaml', import.meta.url)
const VOUCHERS = new URL('./vouchers.yaml', import.meta.url)

/**
 * Puts the demonstration's offers on sale, by the same import as an operator's offers file. Skips titles that the
 * library does not contain yet. The event is on sale until its end.
 */
export async function sellDemonstration(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'offers'>,
): Promise<void> {
  const document = parseDocument(await readFile(OFFERS, 'utf8'), { schema: 'core' })
  const offers = document.get('offers')
  if (!isSeq<YAMLMap>(offers)) throw new Error('The file of the demonstration has no offers.')
  const titles = offers.items.flatMap(titlesOf)
  const found = await context.db.transaction(async (tx) => await findContent(tx, { titles, channels: [] }))
  offers.items = offers.items.filter((offer) => titlesOf(offer).every((title) => found.titles.has(title)))
  const { endsAt } = eventAt(context.clock.now())
  for (const offer of offers.items)
    if (offer.has('event')) offer.set('validTo', new Date(endsAt).toISOString())
  const { faults } = await importOffers(context, String(document))
  for (const fault of faults) context.log.warn(fault, 'the offers of the demonstration were left out')
  await context.offers.refresh()
  await giveVouchers(context)
}

/**
 * Activates the voucher codes of the demonstration. Skips offers that are not on sale, because the library does
 * not contain their titles.
 */
async function giveVouchers({
  db,
  log,
  offers: book,
}: Pick<Context, 'db' | 'log' | 'offers'>): Promise<void> {
  const document = parseDocument(await readFile(VOUCHERS, 'utf8'), { schema: 'core' })
  const vouchers = document.get('vouchers')
  if (!isSeq<YAMLMap>(vouchers)) throw new Error('The file of the demonstration has no vouchers.')
  for (const voucher of vouchers.items) {
    const offers = voucher.get('offers')
    if (isSeq<Scalar<string>>(offers)) offers.items = offers.items.filter(({ value }) => book.ofKey(value))
  }
  vouchers.items = vouchers.items.filter((voucher) => {
    const offers = voucher.get('offers')
    return !isSeq(offers) || offers.items.length > 0
  })
  const { faults } = await importVouchers({ db, book }, String(document))
  for (const fault of faults) log.warn(fault, 'the vouchers of the demonstration were left out')
}

/** Returns the names of the films, the series or the event of an offer. */
function titlesOf(offer: YAMLMap): string[] {
  const titles = offer.get('titles')
  const series = offer.getIn(['season', 'series'])
  const all = isSeq(titles) ? titles.toJSON() : [series, offer.get('event')]
  return all.filter((each: unknown): each is string => typeof each === 'string')
}
