import type { Configuration } from '@ondine/contract/configuration'
import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import type { Mail } from '../../people/mail/mail.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { changedRevisions } from './account-subscriptions.ts'
import { subscriptionEmails, subscriptions } from './orders.table.ts'

/** Number of e-mails that one query reads. */
const SLICE = 100

/** Dependencies of e-mails about subscriptions. */
export interface EmailParts {
  db: Database
  mail: Pick<Mail, 'order'>
  /** Returns the origin of links to a storefront. */
  originOf: (storefrontId: number) => string
  /** Returns the operator's settings for e-mails that the law of only some countries requires. */
  consumerRules: (storefrontId: number) => Configuration['offers']['consumerRules']
}

/**
 * Stores e-mails to send, in the transaction of the change that they report. An e-mail is skipped if the same kind
 * about the same event is already stored. With `again`, the new e-mail replaces the stored e-mail and is sent.
 * `again` is for confirmations of customers' actions, and for new terms.
 */
export async function writeDown(
  tx: Transaction,
  letters: readonly Omit<typeof subscriptionEmails.$inferInsert, 'id' | 'sentAt'>[],
  { again = false } = {},
): Promise<void> {
  if (letters.length === 0) return
  const insert = tx.insert(subscriptionEmails).values([...letters])
  const { subscriptionId, letter, about } = subscriptionEmails
  if (again)
    await insert.onConflictDoUpdate({
      target: [subscriptionId, letter, about],
      set: {
        // A new id keeps the new e-mail apart from the replaced e-mail, which may be in the queue already.
        id: sql`excluded.id`,
        cents: sql`excluded.cents`,
        beforeCents: sql`excluded.before_cents`,
        changesTo: sql`excluded.changes_to`,
        sentAt: null,
      },
    })
  else await insert.onConflictDoNothing()
}

/**
 * Queues the stored e-mails. An interruption may send an e-mail twice, but loses none.
 *
 * @param now milliseconds since the Unix epoch
 * @param subscriptionId restricts the call to one subscription
 * @returns the number of queued e-mails
 */
export async function sendEmails(
  { db, mail, originOf, consumerRules }: EmailParts,
  now: number,
  subscriptionId?: number,
): Promise<number> {
  const waiting = await db
    .select({
      letter: subscriptionEmails,
      accountId: accounts.id,
      storefrontId: accounts.storefrontId,
      language: accounts.language,
      plan: offerRevisions.terms,
      changed: changedRevisions.terms,
    })
    .from(subscriptionEmails)
    .innerJoin(subscriptions, eq(subscriptionEmails.subscriptionId, subscriptions.id))
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .innerJoin(offerRevisions, eq(subscriptions.offerRevisionId, offerRevisions.id))
    .leftJoin(changedRevisions, eq(subscriptionEmails.changesTo, changedRevisions.id))
    .where(
      and(
        isNull(subscriptionEmails.sentAt),
        subscriptionId === undefined ? undefined : eq(subscriptionEmails.subscriptionId, subscriptionId),
      ),
    )
    .orderBy(subscriptionEmails.id)
    .limit(SLICE)
  for (const { letter, accountId, storefrontId, language, plan, changed } of waiting) {
    const { id, letter: name, about: date, cents, beforeCents } = letter
    if (isWanted(name, consumerRules(storefrontId))) {
      await mail.order({
        letter: name,
        accountId,
        storefrontId,
        origin: originOf(storefrontId),
        language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
        subscription: {
          letterId: id,
          plan: plan.names,
          date,
          cents,
          ...(beforeCents !== null && { beforeCents }),
          ...(changed && { nextPlan: changed.names }),
        },
      })
    }
    // If the e-mail was replaced after it was read, its id is new. Then the new e-mail is still to be sent.
    await db.update(subscriptionEmails).set({ sentAt: now }).where(eq(subscriptionEmails.id, id))
  }
  return waiting.length
}

function isWanted(
  letter: (typeof subscriptionEmails.$inferSelect)['letter'],
  { isCancellationConfirmed, isRenewalReminded }: ReturnType<EmailParts['consumerRules']>,
): boolean {
  if (letter === 'subscriptionCancelled' || letter === 'subscriptionStopped') return isCancellationConfirmed
  if (letter === 'renewalAhead') return isRenewalReminded
  return true
}
