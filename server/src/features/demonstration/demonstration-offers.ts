import { readFile } from 'node:fs/promises'
import { isSeq, parseDocument, type YAMLMap } from 'yaml'
import type { Context } from '../../context.ts'
import { importOffers } from '../shop/import-offers.ts'
import { findContent } from '../shop/named-content.ts'
import { importVouchers } from '../vouchers/import-vouchers.ts'

const FILE = new URL('./offers.yaml', import.meta.url)
const VOUCHERS = new URL('./vouchers.yaml', import.meta.url)

/**
 * Puts on sale what the demonstration sells, with its vouchers, by the imports that any operator's files take. Rentals of titles that the library does
 * not have are left out: it may be made in part only, and its titles arrive after its accounts.
 */
export async function sellDemonstration(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'offers'>,
): Promise<void> {
  const document = parseDocument(await readFile(FILE, 'utf8'), { schema: 'core' })
  const offers = document.get('offers')
  if (!isSeq<YAMLMap>(offers)) throw new Error('The file of the demonstration has no offers.')
  const titles = offers.items.flatMap(titlesOf)
  const found = await context.db.transaction(async (tx) => await findContent(tx, { titles, channels: [] }))
  offers.items = offers.items.filter((offer) => titlesOf(offer).every((title) => found.titles.has(title)))
  const { faults } = await importOffers(context, String(document))
  for (const fault of faults) context.log.warn(fault, 'the offers of the demonstration were left out')
  await context.offers.refresh()
  const vouchers = await importVouchers(
    { db: context.db, book: context.offers },
    await readFile(VOUCHERS, 'utf8'),
  )
  for (const fault of vouchers.faults)
    context.log.warn(fault, 'the vouchers of the demonstration were left out')
}

/** The titles that an offer is of. */
function titlesOf(offer: YAMLMap): string[] {
  const titles = offer.get('titles')
  const series = offer.getIn(['season', 'series'])
  const all = isSeq(titles) ? titles.toJSON() : [series]
  return all.filter((each: unknown): each is string => typeof each === 'string')
}
