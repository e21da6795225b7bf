import { createHash, randomBytes } from 'node:crypto'
import { and, count, eq, gt, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { accountLinks } from './account-links.table.ts'
import { holdAccount } from './accounts.service.ts'

/** What a link in an e-mail is good for. */
export type LinkPurpose = (typeof accountLinks.$inferSelect)['purpose']

/** How long a link holds, in milliseconds. */
const LIFETIME_MS: Record<LinkPurpose, number> = {
  activation: 7 * 86_400_000,
  password: 3600_000,
  email: 86_400_000,
}

/** So many links of a purpose an account gets within an hour: nobody's letter box is filled by strangers. */
const MOST_AN_HOUR = 5
const HOUR_MS = 3600_000

/** Bytes of a token. */
const TOKEN_BYTES = 32

/** Makes a link's token for an account, or none when it got enough of them. Only its hash is kept. */
export async function makeLink(
  db: Database | Transaction,
  link: { accountId: number; purpose: LinkPurpose; email?: string },
  now: number,
): Promise<string | undefined> {
  await db.delete(accountLinks).where(lte(accountLinks.expiresAt, now - HOUR_MS))
  const [recent] = await db
    .select({ links: count() })
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.accountId, link.accountId),
        eq(accountLinks.purpose, link.purpose),
        gt(accountLinks.createdAt, now - HOUR_MS),
      ),
    )
  if ((recent?.links ?? 0) >= MOST_AN_HOUR) return undefined
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await db.insert(accountLinks).values({
    ...link,
    tokenHash: hashed(token),
    createdAt: now,
    expiresAt: now + LIFETIME_MS[link.purpose],
  })
  return token
}

/**
 * Uses a link up, and holds its account. Every other one of its purpose that the account was sent is void from then on.
 *
 * @throws ServiceError `linkExpired`, whatever is wrong with it
 */
export async function useLink(
  tx: Transaction,
  purposes: readonly LinkPurpose[],
  token: string,
  now: number,
): Promise<{ accountId: number; purpose: LinkPurpose; email: string | null }> {
  const holds = and(eq(accountLinks.tokenHash, hashed(token)), gt(accountLinks.expiresAt, now))
  // Its account is held first, as by whoever deletes one: who held the link before would wait for the other in a circle.
  const [found] = await tx.select({ accountId: accountLinks.accountId }).from(accountLinks).where(holds)
  if (found) await holdAccount(tx, found.accountId)
  const [link] = await tx.delete(accountLinks).where(holds).returning()
  // One of another purpose stays used up: whoever tries it elsewhere has no good in mind.
  if (!link || !purposes.includes(link.purpose)) throw new ServiceError('linkExpired')
  await voidLinks(tx, link.accountId, [link.purpose])
  return link
}

/** The account that a link is for, without using it up. @throws ServiceError `linkExpired` */
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

/** Makes the links of some purposes worthless. They still count among those of the hour. */
export async function voidLinks(
  tx: Database | Transaction,
  accountId: number,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  for (const purpose of purposes) {
    await tx
      .update(accountLinks)
      .set({ tokenHash: null, email: null })
      .where(and(eq(accountLinks.accountId, accountId), eq(accountLinks.purpose, purpose)))
  }
}

/** The new address that waits for its confirmation, if one does. */
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
