import { amountText } from '@ondine/contract/money'
import { type Command, CommandError } from '../../control/commands.ts'
import { readTextFile } from '../../control/read-text-file.ts'
import { revisionsOf, withdrawOffer } from '../offers/offers.service.ts'
import { importOffers } from './import-offers.ts'
import { presentOperated } from './shop.presenter.ts'

/** `offers import`. */
export const importOffersCommand: Command = {
  name: 'offers import',
  summary: 'Take packages and offers from a file; on any fault nothing changes.',
  arguments: [{ name: 'file', summary: 'a YAML file, see docs/operating.md', isPath: true }],
  run: async (context, { arguments: [path = ''] }, { report }) => {
    const { faults, added, changed, unchanged } = await importOffers(context, await readTextFile(path))
    if (faults.length > 0) {
      const lines = faults.map(({ line, reason }) => `  line ${line}: ${reason}`)
      throw new CommandError([`${path}: nothing was changed.`, ...lines].join('\n'))
    }
    for (const [what, keys] of Object.entries({ added, changed, unchanged }))
      if (keys.length > 0) report({ text: `${what}: ${keys.join(', ')}` })
    if (added.length + changed.length + unchanged.length === 0) report({ text: 'The file has no offers.' })
  },
}

/** `offers list`. */
export const listOffersCommand: Command = {
  name: 'offers list',
  summary: 'List the offers, those that were withdrawn included.',
  arguments: [],
  run: async ({ offers, clock }, _input, { report }) => {
    await offers.refresh()
    const now = clock.now()
    if (offers.list().length === 0)
      report({ text: 'There are no offers. To add some: offers import <offers.yaml>' })
    for (const offer of offers.list()) {
      const { key, offerType, title, priceWithVat, revision, isOnSale, withdrawnAt } = presentOperated(
        offer,
        now,
      )
      const state = isOnSale ? 'on sale' : withdrawnAt === null ? 'not on sale at this time' : 'withdrawn'
      report({ text: `${key}  ${title}  ${priceWithVat} EUR  ${offerType}, ${state}, revision ${revision}` })
    }
  },
}

/** `offers show`. */
export const showOfferCommand: Command = {
  name: 'offers show',
  summary: 'Show an offer with all its revisions, the newest first.',
  arguments: [{ name: 'key', summary: 'the offer' }],
  run: async ({ offers, db }, { arguments: [key = ''] }, { report }) => {
    await offers.refresh()
    const offer = offers.ofKey(key)
    if (!offer) throw new CommandError(`There is no offer ${key}: see offers list.`)
    for (const { number, madeAt, terms } of await revisionsOf(db, offer.id)) {
      const { cents, ...rest } = terms
      report({
        text: `Revision ${number}, ${new Date(madeAt).toISOString()}: ${amountText(cents)} EUR\n${JSON.stringify(rest, null, 2)}`,
      })
    }
  },
}

/** `offers withdraw`. */
export const withdrawOfferCommand: Command = {
  name: 'offers withdraw',
  summary: 'Take an offer off sale; who has bought it keeps it.',
  arguments: [{ name: 'key', summary: 'the offer' }],
  run: async ({ db, clock }, { arguments: [key = ''] }, { report }) => {
    if (!(await withdrawOffer(db, key, clock.now())))
      throw new CommandError(`There is no offer ${key}: see offers list.`)
    report({ text: `${key} is off sale. To sell it again, import it again.` })
  },
}
