import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import type { Mail, MailOrder } from '../../people/mail/mail.service.ts'
import { loadViewers, VISITOR } from '../../rights/entitlements/entitlements.service.ts'
import {
  type DroppedRecording,
  findDroppedProgrammes,
  findProfilesToTell,
  findUntold,
  noteProgrammeTold,
  noteTold,
} from './dropped-recordings.repository.ts'
import { findRecordableShowings } from './recordable-showings.ts'

/** Dependencies of e-mails about dropped programmes. */
export interface TellParts extends Pick<Context, 'db'> {
  mail: Pick<Mail, 'order'>
  /** Returns the origin of links to a storefront. */
  originOf: (storefrontId: number) => string
}

/** Maximum number of profiles in a slice. */
const BATCH = 500
/** Maximum number of programmes in the text of an e-mail. */
const MOST_NAMED = 10

const MINUTE_MS = 60_000
/** Delay from a drop until accounts are notified, in milliseconds. The guide may be wrong for a while. */
const DOUBT_MS = 60 * MINUTE_MS
/** For a programme that begins within this time, in milliseconds, the delay is only `IMPORT_MS`. */
const SOON_MS = 2 * 60 * MINUTE_MS
/**
 * Minimum delay of every e-mail, in milliseconds. By then the import is over, so one e-mail contains all its
 * drops.
 */
const IMPORT_MS = 5 * MINUTE_MS

/**
 * Notifies accounts of recordings whose programmes the guide has dropped, or forbids to record. Each e-mail contains all
 * due programmes of a profile, with their next showings that the profile may record. Works in slices
 * (docs/decisions/0035). After an interruption, an e-mail may be sent twice, but none is lost.
 */
export async function tellDropped(parts: TellParts, now: number, signal?: AbortSignal): Promise<void> {
  const { db } = parts
  const due = await findDroppedProgrammes(db, {
    now,
    droppedBefore: now - DOUBT_MS,
    startsBefore: now + SOON_MS,
    soonDroppedBefore: now - IMPORT_MS,
  })
  const pace = new Pace(BATCH)
  for (const programmeId of due) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      signal?.throwIfAborted()
      const after: number = last
      last = await pace.slice(async (most) => {
        const slice = await findProfilesToTell(db, programmeId, after, most)
        if (slice.profileIds.length > 0) await tellProfiles(parts, slice.profileIds, due, now)
        return slice.last
      })
    }
    await noteProgrammeTold(db, programmeId, now)
  }
}

async function tellProfiles(
  { db, mail, originOf }: TellParts,
  profileIds: readonly number[],
  due: readonly number[],
  now: number,
): Promise<void> {
  const untold = await findUntold(db, profileIds, due)
  const showings = await findRecordableShowings(
    db,
    [...new Set(untold.map(({ recordedProgrammeId }) => recordedProgrammeId))],
    now,
  )
  const letters = [...Map.groupBy(untold, ({ profileId }) => profileId).values()]
  const viewers = await loadViewers(
    db,
    letters.flatMap(([first]) => (first ? [callOf(first, now)] : [])),
  )
  const orders = letters.flatMap((dropped, index): MailOrder[] => {
    const [first] = dropped
    const viewer = viewers[index]?.viewer ?? VISITOR
    if (!first) return []
    const { accountId, profileId, storefrontId, language } = first
    const programmes = dropped
      .slice(0, MOST_NAMED)
      .map(({ recordedProgrammeId, titles, channel, startsAt }) => {
        const next = showings.of(recordedProgrammeId, viewer, profileId)
        return {
          titles,
          channel,
          startsAt,
          next: next ? { channel: next.channelNames, startsAt: next.startsAt } : null,
        }
      })
    const since = Math.max(...dropped.map(({ droppedAt }) => droppedAt))
    return [
      {
        letter: 'recordingsDropped',
        accountId,
        storefrontId,
        origin: originOf(storefrontId),
        language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
        dropped: { profileId, since, programmes, more: dropped.length - programmes.length },
      },
    ]
  })
  await mail.order(...orders)
  await noteTold(
    db,
    untold.map(({ id }) => id),
    now,
  )
}

function callOf({ accountId, profileId, kid, maximumMoralityLevel }: DroppedRecording, now: number) {
  return { account: { id: accountId }, profile: { id: profileId, kid, maximumMoralityLevel }, now }
}
