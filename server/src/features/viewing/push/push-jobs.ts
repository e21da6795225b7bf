import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import { type CheckedFetch, checkedFetch } from '../../../outbound/fetch-checked.ts'
import { isCurrent } from '../../people/accounts/accounts.service.ts'
import { announceEpisodes, forgetAnnounced } from './announce-episodes.ts'
import { type Deliver, deliverer, hostOf } from './deliver.ts'
import { type About, readNews } from './news.ts'
import type { PushKeys } from './push-keys.ts'
import { writeMessage } from './push-message.ts'
import {
  deleteEndpoint,
  endEndpoint,
  findRecipient,
  isSettled,
  type Recipient,
  subscribersOfRecorded,
} from './subscriptions.ts'

/** Kinds of jobs: a message to a subscription, a recorded programme to announce, a look for new episodes. */
const SEND = 'push-send'
const RECORDED = 'push-recorded'
const EPISODES = 'push-episodes'

/** Number of retries of a message. The pauses grow to an hour, and take about ten hours together. */
const RETRIES = 16
const PAUSES = { first: 30, longest: 3600 }
/**
 * Number of retries of an announcement. The first attempt often runs just before the recorded programme is
 * settled.
 */
const RECORDED_RETRIES = 20
const RECORDED_PAUSES = { first: 1, longest: 60 }

/**
 * Maximum number of messages that a process sends at the same time. One after the other, 100,000 messages would
 * take hours, and a push service that does not answer for 10 s would delay all others.
 */
const AT_ONCE = 8

/**
 * Messages of a higher priority are sent first. Viewers wait for the message about a recording, and must not wait
 * for the many messages about a popular series.
 */
const PRIORITY: Readonly<Record<About['kind'], number>> = { recording: 1, episodes: 0 }

/** Maximum number of subscriptions in a slice. */
const BATCH = 500

/** A message in the queue. */
interface Sending {
  subscriptionId: number
  about: About
}

type PushJobParts = Pick<
  Context,
  'db' | 'jobs' | 'clock' | 'log' | 'settings' | 'configurations' | 'storefronts'
>

/**
 * Sends the messages in the queue, and looks for new episodes.
 *
 * @param fetch calls push services. Tests replace it. By default it refuses all private addresses: `OUTBOUND_ALLOW`
 * has no effect, because the addresses come from browsers.
 */
export async function startPushJobs(
  context: PushJobParts,
  keysOf: () => Promise<PushKeys>,
  fetch: CheckedFetch = checkedFetch([]),
): Promise<void> {
  const { db, jobs, clock, settings } = context
  await jobs.declare(SEND, { retries: RETRIES, pauseSeconds: PAUSES, expireSeconds: 120 })
  await jobs.declare(RECORDED, {
    retries: RECORDED_RETRIES,
    pauseSeconds: RECORDED_PAUSES,
    expireSeconds: 600,
  })
  await jobs.declare(EPISODES, { alone: true, retries: 0, expireSeconds: 900 })
  const deliver = deliverer(keysOf, `mailto:${settings.MAIL_FROM}`, fetch)
  await jobs.work(SEND, async (sending: Sending, signal) => await send(context, deliver, sending, signal), {
    atOnce: AT_ONCE,
  })
  await jobs.work(RECORDED, async ({ recordedProgrammeId }: { recordedProgrammeId: number }, signal) => {
    await announceRecorded(context, recordedProgrammeId, signal)
  })
  await jobs.work(EPISODES, async (_data, signal) => {
    if (isOffered(context))
      await announceEpisodes(db, clock.now(), async (all) => await queue(context, all), signal)
    // Episodes that appear while no storefront offers notifications are never announced. Otherwise all these
    // episodes would be announced once a storefront offers notifications again.
    else await forgetAnnounced(db)
  })
  await jobs.schedule(EPISODES, '*/10 * * * *')
}

/**
 * Returns a function that enqueues the announcement of a recorded programme. Call the function just before the
 * programme is settled, so that a crash loses no notification. The job waits until the programme is settled. The
 * function never fails, because recordings must not depend on notifications.
 */
export function announcerOf(context: PushJobParts): (recordedProgrammeId: number) => Promise<void> {
  return async (recordedProgrammeId) => {
    if (!isOffered(context)) return
    try {
      await context.jobs.send(RECORDED, String(recordedProgrammeId), { recordedProgrammeId })
    } catch (error) {
      context.log.error({ err: error, recordedProgrammeId }, 'a recording is not announced')
    }
  }
}

/** Returns whether any storefront offers notifications. */
function isOffered({ storefronts, configurations }: PushJobParts): boolean {
  return storefronts.list().some(({ id }) => configurations.of(id).accounts.pushEnabled)
}

async function announceRecorded(
  context: PushJobParts,
  recordedProgrammeId: number,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  if (!(await isSettled(db, recordedProgrammeId))) throw new Error('The recording is not settled yet.')
  const pace = new Pace(BATCH)
  for (let last = 0, more = true; more; ) {
    signal.throwIfAborted()
    more = await pace.slice(async (most) => {
      const found = await subscribersOfRecorded(db, recordedProgrammeId, last, most)
      await queue(
        context,
        found.map(({ id, recordingId }) => ({
          subscriptionId: id,
          about: { kind: 'recording', recordingId },
        })),
      )
      last = found.at(-1)?.id ?? last
      return found.length === most
    })
  }
}

async function queue({ jobs }: PushJobParts, all: readonly Sending[]): Promise<void> {
  await jobs.sendAll(
    SEND,
    all.map((sending) => ({ key: keyOf(sending), data: sending, priority: PRIORITY[sending.about.kind] })),
  )
}

/**
 * Returns the key of a message in the queue. The queue rejects a message while another one with the same key
 * waits.
 */
function keyOf({ subscriptionId, about }: Sending): string {
  const what =
    about.kind === 'recording'
      ? `recording ${about.recordingId}`
      : `episodes ${about.categoryId} ${about.assetIds.join()}`
  return `${subscriptionId} ${what}`
}

/**
 * Sends a message, if the subscription may still get it. Reads all data now, because the message may have waited
 * for hours.
 */
async function send(
  { db, clock, log, configurations }: PushJobParts,
  deliver: Deliver,
  { subscriptionId, about }: Sending,
  signal: AbortSignal,
): Promise<void> {
  const to = await findRecipient(db, subscriptionId)
  if (!to || !isReachable(to)) return
  const { accounts, brand } = configurations.of(to.storefrontId)
  if (!accounts.pushEnabled) return
  const news = await readNews(db, to.profileId, about, clock.now())
  const reader = { ...to, hasParentalControl: accounts.isParentalControlEnabled }
  const message = news && writeMessage(news, reader, brand.name)
  if (!message) return
  const delivery = await deliver(to, message, signal)
  if (delivery === 'ended') await endEndpoint(db, to.endpoint, clock.now())
  if (delivery === 'forbidden') await deleteEndpoint(db, to.endpoint)
  if (delivery === 'refused') log.warn(`${hostOf(to.endpoint)} refused a notification`)
}

/**
 * Returns whether a subscription may get messages. The account must be active, and the device still signed in.
 * While a child uses the device, only the child's messages are shown.
 */
function isReachable({
  status,
  sessionsFrom,
  signIn,
  lastLoginAt,
  childProfileId,
  profileId,
}: Recipient): boolean {
  const isSignedIn = signIn !== null && isCurrent({ sessionsFrom }, lastLoginAt / 1000)
  return status === 'ACTIVE' && isSignedIn && (childProfileId === null || childProfileId === profileId)
}
