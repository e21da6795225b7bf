import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import type { Context } from '../../context.ts'
import type { JobQueue } from '../../jobs/queue.ts'
import { type LinkPurpose, makeLink } from '../accounts/account-links.ts'
import {
  type Account,
  findAccount,
  findAccountByEmail,
  holdAccount,
  isCurrent,
} from '../accounts/accounts.service.ts'
import type { LetterName } from './letters.ts'
import type { Postman } from './postman.ts'
import { type Attachment, type SubscriptionFacts, writeLetter } from './write-letter.ts'

const MAIL = 'mail'

/** Times that a letter is tried again; with growing pauses of at most 15 minutes that is more than a day. */
const RETRIES = 120
const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 900
/** A letter that was sent is forgotten soon, with the address in it. */
const FORGET_SECONDS = 60

/** A letter that is to be written, to an account or to whoever has an address. */
export type Order = {
  letter: LetterName
  storefrontId: number
  /** Where the service is for its reader, for the link. */
  origin: string
  language: Language
  /** What a letter about a subscription tells. */
  subscription?: SubscriptionFacts & { letterId: number }
  /** The receipt that is attached. */
  receiptId?: number
} & ({ accountId: number } | { accountId: number; newEmail: string; since: number } | { email: string })

/** Has letters written and sent, sooner or later: while the mail server is away they wait and are tried again. */
export class Mail {
  readonly #jobs: JobQueue

  constructor(jobs: JobQueue) {
    this.#jobs = jobs
  }

  /** Must be called before the first letter. */
  async open(): Promise<void> {
    await this.#jobs.declare(MAIL, {
      retries: RETRIES,
      pauseSeconds: { first: FIRST_PAUSE_SECONDS, longest: LONGEST_PAUSE_SECONDS },
      forgetSeconds: FORGET_SECONDS,
      expireSeconds: 120,
    })
  }

  /**
   * Puts a letter on the list. Nothing is looked up: whether somebody reads it takes no more and no less time to answer, and
   * nothing secret waits in the list.
   */
  async order(order: Order): Promise<void> {
    const reader = 'accountId' in order ? `account ${order.accountId}` : order.email
    // Of two changes of an address each is confirmed at its own: the second is no repetition of the first.
    const to = 'newEmail' in order ? ` ${order.newEmail}` : ''
    const about = order.subscription ? ` ${order.subscription.letterId}` : ''
    const receipt = order.receiptId === undefined ? '' : ` ${order.receiptId}`
    const name = `${order.letter} ${order.storefrontId} ${reader}${to}${about}${receipt}`
    await this.#jobs.send(MAIL, name, order)
  }
}

/** What is good for what: the links of letters, and where they lead. */
const LINKS: Partial<Record<LetterName, { purpose: LinkPurpose; path: string }>> = {
  activation: { purpose: 'activation', path: '/verify-email' },
  password: { purpose: 'password', path: '/resetPassword' },
  existing: { purpose: 'password', path: '/resetPassword' },
  email: { purpose: 'email', path: '/verify-email' },
}

/** Where letters about subscriptions lead. */
const PRODUCTS_PATH = '/account/products'

/** Makes the file of a receipt. */
export type ReadReceipt = (id: number) => Promise<Attachment | undefined>

/** Begins to write and send the letters on the list. */
export async function startMailJobs(
  context: Context,
  postman: Postman,
  readReceipt: ReadReceipt,
): Promise<void> {
  const { jobs, log } = context
  let failing = false
  await jobs.work(MAIL, async (order: Order) => {
    try {
      await deliver(context, postman, readReceipt, order)
      if (failing) log.info('letters are sent again')
      failing = false
    } catch (error) {
      // Once, not for every letter and every try.
      if (!failing) log.error({ err: error }, `${postman.where} took no letter; it waits and is tried again`)
      failing = true
      throw error
    }
  })
}

async function deliver(
  context: Context,
  postman: Postman,
  readReceipt: ReadReceipt,
  order: Order,
): Promise<void> {
  const { db, configurations } = context
  const account =
    'accountId' in order
      ? await findAccount(db, order.accountId)
      : await findAccountByEmail(db, order.storefrontId, order.email)
  if (!account || !isMeant(order.letter, account)) return
  const newEmail = 'newEmail' in order ? order.newEmail : undefined
  const kind = LINKS[order.letter]
  const token = kind && (await linkOf(context, account.id, kind.purpose, order))
  if (kind && token === undefined) return
  const { brand, colors } = configurations.of(order.storefrontId)
  const to = newEmail ?? account.email
  const language = isLanguage(account.language) ? account.language : DEFAULT_LANGUAGE
  const link = order.subscription
    ? `${order.origin}${PRODUCTS_PATH}`
    : kind && `${order.origin}${kind.path}?${new URLSearchParams({ token: token ?? '', email: to })}`
  const letter = writeLetter(order.letter, {
    name: brand.name,
    first: account.firstName,
    language,
    ...(link === undefined ? {} : { link }),
    ...(order.subscription && { subscription: order.subscription }),
    colors: {
      background: colors.surface0,
      panel: colors.surface1,
      text: colors.text1,
      quiet: colors.text2,
      accent: colors.accent,
      onAccent: colors.surface0,
    },
  })
  const attached = order.receiptId === undefined ? undefined : await readReceipt(order.receiptId)
  await postman.send(to, { name: brand.name }, { ...letter, attachments: attached ? [attached] : [] })
}

/**
 * Makes the token of a letter's link: none for an account that got enough of them or is not in the state that the letter is about
 * any more, nor to another address once the password was changed since it was asked for.
 */
async function linkOf(
  { db, clock, log }: Context,
  accountId: number,
  purpose: LinkPurpose,
  order: Order,
): Promise<string | undefined> {
  const moving = 'newEmail' in order ? order : undefined
  return await db.transaction(async (tx) => {
    // Held: a change of the password finds the link and voids it, or is found here; so does who deletes the account.
    const account = await holdAccount(tx, accountId)
    if (!account || !isMeant(order.letter, account)) return undefined
    if (moving && !isCurrent(account, moving.since)) return undefined
    const email = moving && { email: moving.newEmail }
    const token = await makeLink(tx, { accountId, purpose, ...email }, clock.now())
    if (token === undefined) log.warn({ account: accountId }, 'an account got enough links for this hour')
    return token
  })
}

/** Whether an account is in the state that a letter is about: it may have changed since it was asked for. */
function isMeant(letter: LetterName, { status, passwordHash }: Account): boolean {
  if (letter === 'activation') return status === 'PENDING_ACTIVATION'
  if (letter === 'existing' || letter === 'password')
    return (status === 'ACTIVE' || status === 'SUSPENDED') && passwordHash !== null
  return status === 'ACTIVE' || status === 'SUSPENDED'
}
