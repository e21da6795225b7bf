import type { Context } from '../../../context.ts'
import type { Call } from '../../../http/operations.ts'
import {
  newSessionId,
  type PlaybackContent,
  type PlaybackSession,
} from '../../streams/play-sessions/play-sessions.service.ts'
import {
  type Beginning,
  beginPlaying,
  endPlaying,
  isCounted,
  notePlaying,
  playingHere,
  resumePlaying,
} from './playing.service.ts'
import { createPresence, type Presence } from './presence.ts'

/** The session id and the device of a playback, which count for the limit of the account. */
export interface Seat {
  sessionId: string
  /** Null for a client without a registered device. */
  deviceId: number | null
  /**
   * The sign-in, which counts as the device of a client without a registered device. `since` is the start of the
   * sign-in, in seconds since the Unix epoch.
   */
  signIn: string
  since: number
  /** Whether the device already plays this content. */
  isTaken: boolean
}

/** Enforces the limit of concurrent playback per account (A8.1-03, code -440; docs/decisions/0018). */
export class ConcurrencyLimit {
  readonly #context: Pick<Context, 'db' | 'configurations'>
  readonly #presence: Presence

  constructor(context: Pick<Context, 'db' | 'configurations' | 'log'>) {
    this.#context = context
    this.#presence = createPresence(
      async (ids, now) => await notePlaying(context.db, ids, now),
      (error) => context.log.warn({ err: error }, 'running playback could not be recorded'),
    )
  }

  /** Creates a new seat. */
  seat({ device, account }: Call<'profile'>): Seat {
    const { signIn, since } = account
    return { sessionId: newSessionId(), deviceId: device?.id ?? null, signIn, since, isTaken: false }
  }

  /** Returns the seat in which the caller's device already plays this content, or a new seat. */
  async seatFor(content: Beginning['content'], call: Call<'profile'>): Promise<Seat> {
    const seat = this.seat(call)
    const sessionId = await playingHere(call.db, { ...seat, accountId: call.account.id, content })
    return sessionId === undefined ? seat : { ...seat, sessionId, isTaken: true }
  }

  /**
   * Takes a seat. @throws ServiceError tooManySessions with the titles and devices that are playing; noDeviceLinked
   * if the device was removed
   */
  async take(
    { isTaken, sessionId, deviceId, signIn }: Seat,
    content: Beginning['content'],
    { db, account, profile, storefront, language, now }: Call<'profile'>,
  ): Promise<void> {
    if (isTaken) return
    const beginning = { sessionId, deviceId, signIn, accountId: account.id, profileId: profile.id, content }
    await beginPlaying(db, beginning, this.#most(storefront.id), language, now)
  }

  /**
   * Records a heartbeat. Waits for the database only if the session has lost its seat.
   *
   * @throws ServiceError tooManySessions with the titles and devices that are playing; noDeviceLinked if the
   * device was removed; tokenInvalid if the account was removed
   */
  async heard(session: PlaybackSession, now: number): Promise<void> {
    if (beginningOf(session) && !this.#presence.heard(session.id, now)) await this.#resume(session, now)
  }

  /**
   * Requires a seat for a session that begins to play, or asks for keys or for a relayed channel. A session without a
   * seat gets one if there is room. @throws ServiceError as {@link heard}
   */
  async require(session: PlaybackSession, now: number): Promise<void> {
    if (beginningOf(session) && !(await isCounted(this.#context.db, session.id)))
      await this.#resume(session, now)
  }

  async end({ id }: PlaybackSession): Promise<void> {
    await endPlaying(this.#context.db, id)
  }

  async #resume(session: PlaybackSession, now: number): Promise<void> {
    const beginning = beginningOf(session)
    if (!beginning) return
    await resumePlaying(this.#context.db, beginning, (id) => this.#most(id), now)
    this.#presence.counts(session.id)
  }

  #most(storefrontId: number): number {
    return this.#context.configurations.of(storefrontId).accounts.maximumSessions
  }
}

/**
 * Returns the fields of a session that count for the limit; undefined for a trailer, which plays for everyone and does
 * not count.
 */
function beginningOf({ id, viewer, content }: PlaybackSession): Beginning | undefined {
  if (viewer === null || content.kind === 'trailer') return undefined
  const { accountId, profileId, deviceId = null, signIn = '' } = viewer
  return { sessionId: id, accountId, profileId, deviceId, signIn, content: playedOf(content) }
}

function playedOf(content: Exclude<PlaybackContent, { kind: 'trailer' }>): Beginning['content'] {
  if (content.kind === 'asset' || content.kind === 'event') return { assetId: content.assetId }
  if (content.kind === 'recording') return { recordingId: content.recordingId }
  return { channelId: content.channelId }
}
