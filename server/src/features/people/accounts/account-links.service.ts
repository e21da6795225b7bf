import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lte, ne, or } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { accountLinks } from './account-links.table.ts'
import { holdAccount } from './accounts.service.ts'

/** Purpose of a link in an e-mail. */
export type LinkPurpose = (typeof accountLinks.$inferSelect)['purpose']

/** Lifetime of a link, in milliseconds. */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  activation: 7 * 86_400_000,
  password: 3600_000,
  email: 86_400_000,
}

/** Maximum number of links of one purpose per account and hour, so that strangers cannot flood a mailbox. */
const MOST_AN_HOUR = 5
const HOUR_MS = 3600_000

/** Length of a token in bytes. */
const TOKEN_BYTES = 32

/** The row of a request for a new e-mail address. It has no token. */
const isRequest = and(isNull(accountLinks.tokenHash), isNotNull(accountLinks.email))
/** The row of a link, valid or void. */
const isLink = or(isNotNull(accountLinks.tokenHash), isNull(accountLinks.email))

/**
 * Creates the token of a link in an e-mail, and stores only its hash. Returns undefined if the account has reached
 * its limit of links with this purpose.
 */
export async function makeLink(
  db: Database | Transaction,
  link: { accountId: number; purpose: LinkPurpose; email?: string },
  now: number,
): Promise<string | undefined> {
  await db.delete(accountLinks).where(lte(accountLinks.expiresAt, now - HOUR_MS))
  if (!(await mayHaveLink(db, link.accountId, link.purpose, now))) return undefined
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await db.insert(accountLinks).values({
    ...link,
    tokenHash: hashed(token),
    createdAt: now,
    expiresAt: now + LIFETIME_MS[link.purpose],
  })
  return token
}

/** Returns whether an account may get another link with this purpose: it has not reached its limit of the hour. */
export async function mayHaveLink(
  db: Database | Transaction,
  accountId: number,
  purpose: LinkPurpose,
  now: number,
): Promise<boolean> {
  return (await linkWaitMs(db, accountId, purpose, now)) === 0
}

/**
 * Requires that an account may get another link with this purpose. @throws ServiceError slowDown if it has reached its
 * limit, with the time until it may get one
 */
export async function requireLinkLeft(
  tx: Transaction,
  accountId: number,
  purpose: LinkPurpose,
  now: number,
): Promise<void> {
  const waitMs = await linkWaitMs(tx, accountId, purpose, now)
  if (waitMs > 0) throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

/** Returns the time until an account may get another link with this purpose, in milliseconds. */
async function linkWaitMs(
  db: Database | Transaction,
  accountId: number,
  purpose: LinkPurpose,
  now: number,
): Promise<number> {
  const isRecent = and(
    eq(accountLinks.accountId, accountId),
    eq(accountLinks.purpose, purpose),
    isLink,
    gt(accountLinks.createdAt, now - HOUR_MS),
  )
  const recent = await db
    .select({ createdAt: accountLinks.createdAt })
    .from(accountLinks)
    .where(isRecent)
    .orderBy(accountLinks.createdAt)
  const oldest = recent.at(-MOST_AN_HOUR)
  return oldest === undefined ? 0 : oldest.createdAt + HOUR_MS - now
}

/** Deletes a link that was not sent, so that it does not count towards the limit. */
export async function dropLink(db: Database, token: string): Promise<void> {
  await db.delete(accountLinks).where(eq(accountLinks.tokenHash, hashed(token)))
}

/**
 * Marks the link with this token as used, and locks the link's account until the transaction ends. All other links
 * of the account with the same purpose become void.
 *
 * @throws ServiceError `linkExpired` if the link is unknown, used or expired, or has another purpose
 */
export async function useLink(
  tx: Transaction,
  purposes: readonly LinkPurpose[],
  token: string,
  now: number,
): Promise<{ accountId: number; purpose: LinkPurpose; email: string | null }> {
  const holds = and(eq(accountLinks.tokenHash, hashed(token)), gt(accountLinks.expiresAt, now))
  // Lock the account before the link, as the deletion of an account does. Locking the link first could cause a
  // deadlock.
  const [found] = await tx.select({ accountId: accountLinks.accountId }).from(accountLinks).where(holds)
  if (found) await holdAccount(tx, found.accountId)
  const [link] = await tx.delete(accountLinks).where(holds).returning()
  // The exception rolls back the caller's transaction. So a link with another purpose stays valid.
  if (!link || !purposes.includes(link.purpose)) throw new ServiceError('linkExpired')
  await voidLinks(tx, link.accountId, [link.purpose])
  return link
}

/** Returns the id of a link's account, without marking the link as used. @throws ServiceError `linkExpired` */
export async function requireLink(
  db: Database,
  purpose: LinkPurpose,
  token: string,
  now: number,
): Promise<number> {
  const [link] = await db
    .select({ accountId: accountLinks.accountId })
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.tokenHash, hashed(token)),
        eq(accountLinks.purpose, purpose),
        gt(accountLinks.expiresAt, now),
      ),
    )
  if (!link) throw new ServiceError('linkExpired')
  return link.accountId
}

/**
 * Stores the request of an account's holder for a new e-mail address, and ends earlier requests for other addresses:
 * their links become void. The account must be locked.
 */
export async function requestEmail(
  tx: Transaction,
  accountId: number,
  email: string,
  now: number,
): Promise<void> {
  const ofHolder = and(eq(accountLinks.accountId, accountId), eq(accountLinks.purpose, 'email'))
  await tx.delete(accountLinks).where(and(ofHolder, isRequest))
  await tx
    .update(accountLinks)
    .set({ tokenHash: null, email: null })
    .where(and(ofHolder, ne(accountLinks.email, email)))
  await tx.insert(accountLinks).values({
    accountId,
    purpose: 'email',
    email,
    createdAt: now,
    expiresAt: now + LIFETIME_MS.email,
  })
}

/**
 * Voids the links of the given purposes, and withdraws requests for a new e-mail address. Voided links still count
 * towards the hourly limit.
 */
export async function voidLinks(
  tx: Database | Transaction,
  accountId: number,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  for (const purpose of purposes) {
    const ofPurpose = and(eq(accountLinks.accountId, accountId), eq(accountLinks.purpose, purpose))
    await tx.delete(accountLinks).where(and(ofPurpose, isRequest))
    await tx.update(accountLinks).set({ tokenHash: null, email: null }).where(ofPurpose)
  }
}

/**
 * Returns the new e-mail address that an account's holder has requested but not confirmed yet; null without such a
 * request.
 */
export async function pendingEmail(db: Database, accountId: number, now: number): Promise<string | null> {
  const links = await db
    .select({ email: accountLinks.email, id: accountLinks.id })
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.accountId, accountId),
        eq(accountLinks.purpose, 'email'),
        gt(accountLinks.expiresAt, now),
      ),
    )
    .orderBy(accountLinks.id)
  return links.at(-1)?.email ?? null
}

function hashed(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
