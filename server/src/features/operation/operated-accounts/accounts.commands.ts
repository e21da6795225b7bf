import { customerReference } from '@ondine/contract/customer-reference'
import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import * as z from 'zod'
import type { Context } from '../../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import { writeTextFile } from '../../../control/write-text-file.ts'
import { STOREFRONT_OPTION, storefrontOf } from '../../../documents/document-commands.ts'
import { textIn } from '../../../metadata/texts.ts'
import { anonymise } from '../../people/accounts/account-changes.service.ts'
import { exportAccount } from '../../people/accounts/account-export.service.ts'
import type { Account } from '../../people/accounts/accounts.service.ts'
import { removeParentalCode } from '../../people/parental/parental.service.ts'
import { unlinkAccount } from '../../people/sign-on/identities.service.ts'
import {
  changeStatus,
  type ElsewherePlan,
  findNamedAccount,
  givePackage,
  type HeldRight,
  listAccounts,
  MOST_ACCOUNTS,
  OperatedAccountError,
  plansChargedElsewhere,
  summaryOf,
  takePackage,
} from './operated-accounts.ts'

const DAY_MS = 86_400_000

const ACCOUNT_ARGUMENT = {
  name: 'account',
  summary: 'its e-mail address, or the customer reference that its holder reads on the page of the account',
}

export const listAccountsCommand: Command = {
  name: 'accounts list',
  summary: `List the newest accounts, at most ${MOST_ACCOUNTS}.`,
  arguments: [
    {
      name: 'text',
      summary: 'only accounts with this text in the e-mail address or the name',
      optional: true,
    },
  ],
  options: [STOREFRONT_OPTION],
  run: async (context, input, { report }) => {
    const [text] = input.arguments
    const found = await listAccounts(context.db, { storefrontId: storefrontOf(context, input).id, text })
    if (found.length === 0) report({ text: 'There are no such accounts.' })
    for (const account of found) report({ text: lineOf(account) })
  },
}

export const showAccountCommand = onAccount(
  { name: 'accounts show', summary: 'Show an account with its status, and with its rights now.' },
  async ({ db, clock }, account, { report }) => {
    const { profiles, devices, hasParentalCode, rights } = await summaryOf(db, account.id, clock.now())
    report({ text: lineOf(account) })
    report({ text: `  created ${dayOf(account.createdAt.getTime())}, language ${account.language}` })
    report({
      text: `  profiles: ${profiles}, devices: ${devices}, parental code: ${hasParentalCode ? 'yes' : 'no'}, password: ${account.passwordHash === null ? 'no, signs in at a provider' : 'yes'}`,
    })
    for (const right of rights) report({ text: `  right to ${rightLine(right)}` })
  },
)

export const exportAccountCommand = onAccount(
  {
    name: 'accounts export',
    summary: 'Write all data of an account as JSON, for its holder who asks for it.',
    options: [{ flags: '--to <file>', summary: 'a new JSON file; shown by default', isPath: true }],
  },
  async ({ db, accountHooks, clock, storefronts }, account, { options: { to }, report }) => {
    const document = {
      service: storefronts.nameOf(account.storefrontId),
      customerReference: customerReference(account.id),
      exportedAt: new Date(clock.now()).toISOString(),
      ...(await exportAccount(db, accountHooks, account.id)),
    }
    const text = JSON.stringify(document, null, 2)
    if (typeof to !== 'string') return report({ text })
    await writeTextFile(to, `${text}\n`, { isNew: true, isPrivate: true })
    report({ text: `Wrote the data of ${account.email} to ${to}.` })
  },
)

export const suspendAccountCommand = onAccount(
  {
    name: 'accounts suspend',
    summary: 'Suspend an account: its holder signs in, but cannot play or buy, and is not charged.',
  },
  async ({ db }, account, { report }) => {
    await changeStatus(db, account.id, 'SUSPENDED')
    report({ text: `Suspended ${account.email}.` })
  },
)

export const banAccountCommand = onAccount(
  { name: 'accounts ban', summary: 'Ban an account: its holder can no longer sign in.' },
  async ({ db }, account, { report }) => {
    await changeStatus(db, account.id, 'BANNED')
    report({ text: `Banned ${account.email}.` })
  },
)

export const reopenAccountCommand = onAccount(
  { name: 'accounts reopen', summary: 'Reopen an account that is suspended, banned or inactive.' },
  async ({ db }, account, { report }) => {
    await changeStatus(db, account.id, 'ACTIVE')
    report({ text: `Reopened ${account.email}.` })
  },
)

/** Names of the sellers that charge plans themselves. */
const SELLERS: Record<ElsewherePlan['seller'], string> = {
  apple: 'the App Store',
  google: 'Google Play',
  subscriptionService: 'the subscription service',
}

/** `accounts delete`: deletes an account as its holder can. The option `--reference` confirms it. */
export const deleteAccountCommand = onAccount(
  {
    name: 'accounts delete',
    summary: 'Delete an account for good, as its holder can. Without --reference, only report it.',
    options: [
      {
        flags: '--reference <number>',
        summary: 'customer reference of the account, as the command reports it',
      },
    ],
  },
  async ({ db, accountHooks, clock }, account, { options, report }) => {
    const reference = customerReference(account.id)
    if (options.reference !== undefined && options.reference !== reference)
      throw new CommandError(`The reference of ${account.email} is ${reference}. Nothing was deleted.`)
    report({ text: lineOf(account) })
    for (const { key, seller } of await plansChargedElsewhere(db, account.id, clock.now()))
      report({
        text: `  The deletion does not cancel the plan ${key}. Its buyer is charged until it is cancelled with ${SELLERS[seller]}.`,
      })
    if (options.reference === undefined) {
      report({
        text: `Nothing was deleted. To delete the account with its profiles, purchases and rights: --reference ${reference}`,
      })
      return
    }
    await anonymise(db, accountHooks, account.id, clock.now())
    report({ text: `Deleted ${account.email}. Records for accounting stay, without a name.` })
  },
)

export const forgetCodeCommand = onAccount(
  {
    name: 'accounts forget-code',
    summary: 'Remove a forgotten parental code. The holder can then set another one.',
  },
  async ({ db }, account, { report }) => {
    if (!(await removeParentalCode(db, account.id)))
      throw new CommandError(`${account.email} has no parental code.`)
    report({ text: `Removed the parental code of ${account.email}.` })
  },
)

export const unlinkAccountCommand = onAccount(
  {
    name: 'accounts unlink',
    summary:
      'Separate an account from the id of its holder at the identity provider, when the holder has a new id.',
  },
  async (context, account, { report }) => {
    if (!(await unlinkAccount(context, account.id)))
      throw new CommandError(`${account.email} belongs to nobody at an identity provider.`)
    report({
      text: `Separated ${account.email} from the identity provider and signed it out everywhere. The next person who signs on with this address gets the account with all its data: this must be its holder.`,
    })
  },
)

const PACKAGE_ARGUMENT = { name: 'package', summary: 'key of the package' }

export const givePackageCommand = onAccount(
  {
    name: 'accounts give',
    summary: 'Give an account the right to a package, or change the last day of a right that you gave.',
    arguments: [PACKAGE_ARGUMENT],
    options: [
      {
        flags: '--until <date>',
        summary: 'last day of the right in UTC, such as 2026-12-31; by default no end',
      },
    ],
  },
  async ({ db, clock }, account, { arguments: [, key = ''], options, report }) => {
    const now = clock.now()
    const to = endOfDay(options.until)
    if (to !== null && to <= now) throw new CommandError('--until must not be in the past.')
    await givePackage(db, account.id, { key, from: now, to })
    report({ text: `${account.email} has ${key}${to === null ? '' : ` until ${options.until}`}.` })
  },
)

export const takePackageCommand = onAccount(
  {
    name: 'accounts take',
    summary: 'End the right to a package that you gave. `orders refund` ends rights that were bought.',
    arguments: [PACKAGE_ARGUMENT],
  },
  async ({ db, clock }, account, { arguments: [, key = ''], report }) => {
    await takePackage(db, account.id, key, clock.now())
    report({ text: `${account.email} no longer has ${key} from an operator.` })
  },
)

/** Makes a command about one account, which its first argument names. */
function onAccount(
  {
    arguments: others = [],
    options = [],
    ...about
  }: Pick<Command, 'name' | 'summary' | 'options'> & Partial<Pick<Command, 'arguments'>>,
  run: (
    context: Context,
    account: Account,
    control: CommandInput & Pick<Parameters<Command['run']>[2], 'report'>,
  ) => Promise<void>,
): Command {
  return {
    ...about,
    arguments: [ACCOUNT_ARGUMENT, ...others],
    options: [...options, STOREFRONT_OPTION],
    run: async (context, input, { report }) => {
      const [named = ''] = input.arguments
      const account = await findNamedAccount(context.db, storefrontOf(context, input).id, named)
      if (!account) throw new CommandError(`There is no account ${named}: see accounts list.`)
      try {
        await run(context, account, { ...input, report })
      } catch (error) {
        throw error instanceof OperatedAccountError ? new CommandError(error.message) : error
      }
    },
  }
}

function lineOf({ id, email, firstName, lastName, status }: Account): string {
  const name = `${firstName} ${lastName}`.trim()
  return [customerReference(id), email, name, status].filter((each) => each !== '').join('  ')
}

function rightLine({ key, names, source, from, until }: HeldRight): string {
  const content = key === null ? textIn(names, DEFAULT_LANGUAGE) : `the package ${key}`
  const end = Number.isFinite(until) ? `until ${dayOf(until - 1)}` : 'without end'
  return `${content}, ${source}, from ${dayOf(from)} ${end}`
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Returns the end of a day in UTC, in milliseconds since the Unix epoch; null if no day is given. */
function endOfDay(written: CommandInput['options'][string]): number | null {
  const day = z.iso.date().optional().safeParse(written)
  if (!day.success) throw new CommandError('Give a day, such as --until 2026-12-31.')
  return day.data === undefined ? null : Date.parse(day.data) + DAY_MS
}
