import { amountText } from '@ondine/contract/money'
import { migrationDay } from '@ondine/contract/offers'
import { type Command, CommandError } from '../../../control/commands.ts'
import { readTextFile } from '../../../control/read-text-file.ts'
import { ServiceError } from '../../../http/errors.ts'
import { revisionsOf, withdrawOffer } from '../../rights/offers/offers.service.ts'
import { migrateOffer } from '../../rights/orders/offer-migration.service.ts'
import { importOffers } from './offer-import.service.ts'
import { presentOperated } from './shop.presenter.ts'

export const importOffersCommand: Command = {
  name: 'offers import',
  summary: 'Import packages and offers from a file. On any fault nothing changes.',
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

export const listOffersCommand: Command = {
  name: 'offers list',
  summary: 'List the offers, including withdrawn ones.',
  arguments: [],
  run: async ({ offers, clock }, _input, { report }) => {
    await offers.refresh()
    const now = clock.now()
    if (offers.list().length === 0)
      report({ text: 'There are no offers. To add some: offers import <offers.yaml>' })
    for (const offer of offers.list()) {
      const { idOption, key, offerType, title, priceWithVat, revision, isOnSale, withdrawnAt } =
        presentOperated(offer, now)
      const state = isOnSale ? 'on sale' : withdrawnAt === null ? 'not on sale at this time' : 'withdrawn'
      report({
        text: `${idOption}  ${key}  ${title}  ${priceWithVat} EUR  ${offerType}, ${state}, revision ${revision}`,
      })
    }
  },
}

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

export const migrateOfferCommand: Command = {
  name: 'offers migrate',
  summary:
    'Migrate subscriptions with older terms of an offer to its current revision, and tell their owners.',
  arguments: [{ name: 'key', summary: 'the offer' }],
  options: [
    {
      flags: '--from <date>',
      summary: 'first day of the new terms, such as 2026-01-31; by default the earliest allowed day',
    },
    { flags: '--dry-run', summary: 'only report what would change' },
  ],
  run: async ({ db, clock, offers }, { arguments: [key = ''], options }, { signal, report }) => {
    await offers.refresh()
    const offer = offers.ofKey(key)
    if (!offer) throw new CommandError(`There is no offer ${key}: see offers list.`)
    const day = migrationDay.optional().safeParse(options.from)
    if (!day.success) throw new CommandError('Give a day, such as --from 2026-01-31.')
    const isDry = options.dryRun === true
    const ask = { offer, from: day.data, isDry, now: clock.now() }
    const result = await migrateOffer(db, ask, signal).catch(told)
    const date = new Date(result.from).toISOString().slice(0, 10)
    report({
      text: `${result.migrated} subscriptions of ${key} ${isDry ? 'would migrate' : 'migrate'} to revision ${result.revision} from ${date} on, ${result.told} of them with an e-mail.`,
    })
    for (const [outcome, reason] of STAYING)
      if (result[outcome] > 0) report({ text: `${result[outcome]} ${reason}` })
  },
}

/** Reasons why subscriptions are not migrated, by outcome. */
const STAYING = [
  ['waiting', 'were scheduled for it before, and keep their day.'],
  ['cancelled', 'are cancelled: run the command again if they are resumed.'],
  ['changing', 'change to another plan.'],
  ['different', 'have another period or plan than the revision: their owners have to change it themselves.'],
] as const

/** Rethrows the faults of the input as an error of the command. */
function told(error: unknown): never {
  if (!(error instanceof ServiceError) || error.error !== 'invalidInput') throw error
  const reasons = (error.details?.fields ?? []).map(({ field, message }) => `${field} ${message}`)
  throw new CommandError(`Nothing was changed: ${reasons.join(', ')}.`, { cause: error })
}

export const withdrawOfferCommand: Command = {
  name: 'offers withdraw',
  summary: 'Take an offer off sale. Customers who bought it keep it.',
  arguments: [{ name: 'key', summary: 'the offer' }],
  run: async ({ db, clock }, { arguments: [key = ''] }, { report }) => {
    if (!(await withdrawOffer(db, key, clock.now())))
      throw new CommandError(`There is no offer ${key}: see offers list.`)
    report({ text: `${key} is off sale. To sell it again, import its file again.` })
  },
}
