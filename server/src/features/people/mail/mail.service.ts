import type { Configuration } from '@ondine/contract/configuration'
import { hasIdentityProvider } from '@ondine/contract/identity-provider'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { dropLink, type LinkPurpose, makeLink, pendingEmail } from '../accounts/account-links.service.ts'
import { type Account, findAccount, findAccountByEmail, holdAccount } from '../accounts/accounts.service.ts'
import type { EmailName } from './emails.ts'
import { type Mailer, MailRefused } from './mailer.ts'
import { type Attachment, type DroppedFacts, type SubscriptionFacts, writeEmail } from './write-email.ts'

const MAIL = 'mail'

/**
 * Number of retries to send an e-mail. The pauses grow to 15 minutes, so all retries together take more than a
 * day.
 */
const RETRIES = 120
const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 900
/** How long the job of a sent e-mail is kept, in seconds. Short, because the job may contain an e-mail address. */
const FORGET_SECONDS = 60

/** An e-mail to write: to an account's address, to its new address, or to any given address. */
export type MailOrder = {
  letter: EmailName
  storefrontId: number
  /** Scheme and host of the link in the e-mail. */
  origin: string
  language: Language
  /**
   * Values for an e-mail about a subscription. `letterId` is unique per e-mail, so that the e-mail is queued once.
   */
  subscription?: SubscriptionFacts & { letterId: number }
  /**
   * Values for an e-mail about dropped programmes. `since` and the profile identify the e-mail, so that it is
   * queued once.
   */
  dropped?: DroppedFacts & { profileId: number; since: number }
  /** Id of the attached receipt. */
  receiptId?: number
} & ({ accountId: number } | { accountId: number; newEmail: string } | { email: string })

/**
 * Queues e-mails for writing and sending. While the mail server is down, the e-mails stay in the queue and are retried.
 */
export class Mail {
  readonly #jobs: JobQueue

  constructor(jobs: JobQueue) {
    this.#jobs = jobs
  }

  /** Must be called before the first e-mail is queued. */
  async open(): Promise<void> {
    await this.#jobs.declare(MAIL, {
      retries: RETRIES,
      pauseSeconds: { first: FIRST_PAUSE_SECONDS, longest: LONGEST_PAUSE_SECONDS },
      forgetSeconds: FORGET_SECONDS,
      expireSeconds: 120,
    })
  }

  /**
   * Queues e-mails with one SQL statement, and reads nothing from the database. So the answer time does not reveal
   * whether the address has an account. The queue contains no secrets.
   */
  async order(...orders: readonly MailOrder[]): Promise<void> {
    await this.#jobs.sendAll(
      MAIL,
      orders.map((order) => ({ key: keyOf(order), data: order })),
    )
  }
}

/**
 * Returns the key of an e-mail in the queue. While an e-mail is in the queue, no second e-mail with the same key is
 * queued.
 */
function keyOf(order: MailOrder): string {
  const reader = 'accountId' in order ? `account ${order.accountId}` : order.email
  // The holder of an account may request several new addresses. Each address gets its own e-mail.
  const to = 'newEmail' in order ? ` ${order.newEmail}` : ''
  const about = order.subscription ? ` ${order.subscription.letterId}` : ''
  const programmes = order.dropped ? ` ${order.dropped.profileId} ${order.dropped.since}` : ''
  const receipt = order.receiptId === undefined ? '' : ` ${order.receiptId}`
  return `${order.letter} ${order.storefrontId} ${reader}${to}${about}${programmes}${receipt}`
}

/**
 * Purposes and paths of the links with a token in e-mails. An e-mail without a path contains no token, but counts
 * towards the limit of links, because anybody can request it.
 */
const LINKS: Partial<Record<EmailName, { purpose: LinkPurpose; path?: string }>> = {
  activation: { purpose: 'activation', path: '/verify-email' },
  password: { purpose: 'password', path: '/resetPassword' },
  existing: { purpose: 'password', path: '/resetPassword' },
  email: { purpose: 'email', path: '/verify-email' },
  existingNoReset: { purpose: 'password' },
  existingNoPassword: { purpose: 'password' },
  signOn: { purpose: 'password' },
}

/** Path that e-mails about subscriptions link to. */
const PRODUCTS_PATH = '/account/products'
/** Path that e-mails about dropped programmes link to. */
const SCHEDULED_RECORDINGS_PATH = '/library/scheduled-records'
/** Path of the sign-in page. It also links to the page that resets passwords, if there is one. */
const SIGN_IN_PATH = '/auth/login'

/** Returns a receipt as a file for an e-mail; undefined if the receipt does not exist. */
export type ReadReceipt = (id: number) => Promise<Attachment | undefined>

/** Starts to write and send the queued e-mails. */
export async function startMailJobs(
  context: Context,
  mailer: Mailer,
  readReceipt: ReadReceipt,
): Promise<void> {
  const { jobs, log } = context
  let failing = false
  await jobs.work(MAIL, async (order: MailOrder) => {
    try {
      await deliver(context, mailer, readReceipt, order)
      if (failing) log.info('e-mails can be sent again')
      failing = false
    } catch (error) {
      // Log only the first failure, because every e-mail and every retry would fail in the same way.
      if (!failing)
        log.error({ err: error }, `${mailer.where} did not accept an e-mail; it is tried again later`)
      failing = true
      throw error
    }
  })
}

async function deliver(
  context: Context,
  mailer: Mailer,
  readReceipt: ReadReceipt,
  order: MailOrder,
): Promise<void> {
  const { db, configurations } = context
  const account =
    'accountId' in order
      ? await findAccount(db, order.accountId)
      : await findAccountByEmail(db, order.storefrontId, order.email)
  const { brand, colors, accounts } = configurations.of(order.storefrontId)
  const name = account && emailFor(order.letter, account, accounts)
  if (!account || name === undefined) return
  const newEmail = 'newEmail' in order ? order.newEmail : undefined
  const kind = LINKS[name]
  const token = kind && (await linkOf(context, account.id, name, kind.purpose, order))
  if (kind && token === undefined) return
  const to = newEmail ?? account.email
  const language = isLanguage(account.language) ? account.language : DEFAULT_LANGUAGE
  const path = pathFor(name, order)
  const link = path
    ? `${order.origin}${path}`
    : kind?.path && `${order.origin}${kind.path}?${queryOf(kind.purpose, token ?? '', to)}`
  const letter = writeEmail(name, {
    name: brand.name,
    first: isProven(name) ? account.firstName : '',
    language,
    provider: accounts.authentication.providerName[language] ?? '',
    ...(link === undefined ? {} : { link }),
    ...(order.subscription && { subscription: order.subscription }),
    ...(order.dropped && { dropped: order.dropped }),
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
  try {
    await mailer.send(to, { name: brand.name }, { ...letter, attachments: attached ? [attached] : [] })
  } catch (error) {
    // The next try makes another link. A link that nobody received must not use up the account's limit.
    if (token !== undefined && error instanceof MailRefused) await dropLink(db, token)
    throw error
  }
}

/** Returns the path that an e-mail links to without a token, if any. */
function pathFor(name: EmailName, { subscription, dropped }: MailOrder): string | undefined {
  if (subscription) return PRODUCTS_PATH
  if (dropped) return SCHEDULED_RECORDINGS_PATH
  return name === 'existingNoReset' ? SIGN_IN_PATH : undefined
}

/**
 * Returns the query string of the link in an e-mail. `change` tells the page that the account is active already, so that
 * an activation cannot be sent again.
 */
function queryOf(purpose: LinkPurpose, token: string, email: string): URLSearchParams {
  return new URLSearchParams({ token, email, ...(purpose === 'email' && { change: '1' }) })
}

/**
 * Creates the token of the link in an e-mail. Returns undefined if the account has reached its limit of links, or
 * its state no longer fits the e-mail. Also returns undefined for a new address that the account's holder no longer
 * requests.
 */
async function linkOf(
  { db, clock, log, configurations }: Context,
  accountId: number,
  name: EmailName,
  purpose: LinkPurpose,
  order: MailOrder,
): Promise<string | undefined> {
  const moving = 'newEmail' in order ? order : undefined
  return await db.transaction(async (tx) => {
    // Lock the account. A concurrent password change or deletion then either ends before the checks below, or
    // starts later and voids the new link.
    const account = await holdAccount(tx, accountId)
    const rules = configurations.of(order.storefrontId).accounts
    if (!account || emailFor(order.letter, account, rules) !== name) return undefined
    const now = clock.now()
    if (moving && (await pendingEmail(tx, accountId, now)) !== moving.newEmail) return undefined
    const email = moving && { email: moving.newEmail }
    const token = await makeLink(tx, { accountId, purpose, ...email }, now)
    if (token === undefined)
      log.warn({ account: accountId }, 'an account has reached its limit of links for this hour')
    return token
  })
}

/**
 * Returns whether an e-mail goes to an address that belongs to the account's holder. Other addresses may be those of
 * strangers, who must get no text that an account contains.
 */
function isProven(letter: EmailName): boolean {
  return letter !== 'activation' && letter !== 'email'
}

/**
 * Returns the e-mail that an account gets for the requested one; undefined if none fits the account's state. The holder of
 * a known address always learns how to sign in, because the answer of the call promises an e-mail (docs/decisions/0020).
 *
 * Without an identity provider, an account without a password can only be opened by a new password. Where this service
 * does not reset passwords, its pages would refuse the link to a new password (A2.2-04). The holder of such an account
 * needs the operator's support.
 */
function emailFor(
  letter: EmailName,
  { status, passwordHash }: Account,
  { authentication, resetPassword }: Configuration['accounts'],
): EmailName | undefined {
  const isOfPassword = letter === 'existing' || letter === 'password'
  if (status === 'PENDING_ACTIVATION')
    return letter === 'activation' || letter === 'password' ? 'activation' : undefined
  if (letter === 'activation' || (status !== 'ACTIVE' && status !== 'SUSPENDED')) return undefined
  if (isOfPassword && passwordHash === null && hasIdentityProvider(authentication)) return 'signOn'
  if (letter !== 'existing' || resetPassword.mode === 'internal') return letter
  return passwordHash === null ? 'existingNoPassword' : 'existingNoReset'
}
