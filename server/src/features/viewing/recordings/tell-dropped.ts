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
/** Maximum number of programmes that an e-mail names. */
const MOST_NAMED = 10

const MINUTE_MS = 60_000
/** Time from a drop until accounts are told. The guide may be wrong for a while. In milliseconds. */
const DOUBT_MS = 60 * MINUTE_MS
/** Accounts are told earlier of a programme that begins within this time. In milliseconds. */
const SOON_MS = 2 * 60 * MINUTE_MS
/** Minimum delay of every e-mail. By then an import is over, so one e-mail names all its drops. In milliseconds. */
const IMPORT_MS = 5 * MINUTE_MS

/**
 * Notifies accounts of recordings whose programmes the guide has dropped, with the next showing that they may record. A
 * profile gets one e-mail for all its programmes that are due. Works in slices (docs/decisions/0035). After an
 * interruption, an e-mail may be sent twice, but none is lost.
 */
export async function tellDropped(parts: TellParts, now: number, signal?: AbortSignal): Promise<void> {
  const { db } = parts
  const due = await findDroppedProgrammes(db, {
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
        const next = showings.of(recordedProgrammeId, viewer)
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
