import type { Programme } from '@ondine/contract/entities'
import type { OutputOf } from '@ondine/contract/operation'
import {
  createRecording,
  type Recording,
  removeRecording,
  restoreRecording,
} from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { isNative } from '../../../api/native.ts'
import { modal } from '../../../modals/modal.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { type Notice, notify } from '../../ground/notices/notice.ts'
import { isChild, sessionQuery } from '../../ground/session/session.ts'
import { shopOf } from '../../rights/offers/shop.ts'
import { fullNameOf, type Named } from './recording-name.ts'
import { isScheduled, refreshRecordings } from './recordings-query.ts'

/** Error codes for an account that has used up its recording time, or has none. */
const QUOTA_CODES: ReadonlySet<number> = new Set([CODES.recordingQuotaReached, CODES.quotaContextNotFound])

/** A programme of the guide that can be recorded. */
export type Recordable = Pick<Programme, 'id' | 'id_channel'>

/**
 * Records a programme.
 *
 * @param onRecorded called once the service has accepted the recording
 * @returns the path of the offers, as {@link offeringMore} does
 * @throws ApiError
 */
export async function record(
  queries: QueryClient,
  { id, id_channel }: Recordable,
  t: TFunction,
  onRecorded?: () => void,
): Promise<string | undefined> {
  return await refreshing(queries, async () => {
    return await offeringMore(queries, t, async () => {
      await call(createRecording, { idEvent: id, idChannel: id_channel })
      onRecorded?.()
    })
  })
}

/**
 * Makes calls that change recordings or series, and then refetches the recordings and series. Refetches after a
 * refusal too, because a change in another window may have caused the refusal.
 */
export async function refreshing<T>(queries: QueryClient, calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } finally {
    await refreshRecordings(queries)
  }
}

/**
 * Makes a call that records. If the recording time is used up, asks whether the viewer wants an offer with more
 * time (A2.4-04). A viewer who cannot buy, such as a child, is only told that the time is used up, or that the account
 * has none. If too much of the programme is missing, tells the viewer so.
 *
 * @returns the path of the offers, if the viewer wants to see them
 * @throws ApiError
 */
export async function offeringMore(
  queries: QueryClient,
  t: TFunction,
  recording: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await recording()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === CODES.noMediaFound) {
      const title = t('recordings.missingTitle')
      await modal.open('alert', { title, description: t('recordings.missing') })
      return undefined
    }
    if (!QUOTA_CODES.has(error.code)) throw error
    const hasHours = error.code !== CODES.quotaContextNotFound
    const ofChild = isChild(await queries.ensureQueryData(sessionQuery))
    if (ofChild || shopOf(configurationOf(queries), isNative()).kind === 'closed') {
      const texts = ofChild
        ? (['recordings.full', 'recordings.noHoursOfChild'] as const)
        : (['recordings.fullWithoutOffers', 'recordings.noHoursWithoutOffers'] as const)
      await modal.open('alert', {
        title: t(hasHours ? 'recordings.fullTitle' : 'recordings.noHoursTitle'),
        description: t(texts[hasHours ? 0 : 1]),
      })
      return undefined
    }
    const content = hasHours
      ? { description: '' }
      : { title: t('recordings.noHoursTitle'), description: t('recordings.noHours') }
    return (await modal.open('quotaLimit', content)) ? pathOf('offers') : undefined
  }
  return undefined
}

/**
 * Cancels, stops or deletes a recording, and offers undo (A2.4-03). Acts on the state that the page shows. If a
 * recording has ended meanwhile, the button that stops a recording does not delete it.
 *
 * @throws ApiError
 */
export async function remove(queries: QueryClient, recording: Removable, t: TFunction): Promise<void> {
  const { id } = recording
  const { outcome } = await refreshing(queries, async () => {
    return await call(removeRecording, { id, intent: intentOf(recording) })
  })
  const text = removedText(recording, outcome, t)
  notify(outcome === 'kept' ? { text } : { text, offer: undoOf(queries, [id], t) })
}

/** The result of a call that removes a recording. */
type Outcome = OutputOf<typeof removeRecording>['outcome']

/** A recording to remove, with its name. */
type Removable = Pick<Recording, 'id' | 'state'> & Named

/**
 * Returns the message about a removed recording. It names the episode, because several recordings can have the
 * same title.
 */
function removedText(recording: Named, outcome: Outcome, t: TFunction): string {
  return t(`recordings.${outcome}`, { title: fullNameOf(recording, t) })
}

/**
 * Returns the intent of the button that the page shows. The recording has possibly ended since the page showed it.
 */
function intentOf(recording: Pick<Recording, 'state'>): 'end' | 'delete' {
  return isScheduled(recording) ? 'end' : 'delete'
}

/**
 * Cancels, stops or deletes several recordings, and offers one undo for all of them. A failure does not stop the
 * removal of the others.
 *
 * @throws ApiError the first failure
 */
export async function removeMany(
  queries: QueryClient,
  recordings: readonly Removable[],
  t: TFunction,
): Promise<void> {
  const results = await settleInTurn(recordings, async (recording) => {
    const { id } = recording
    const { outcome } = await call(removeRecording, { id, intent: intentOf(recording) })
    return { recording, outcome }
  })
  await refreshRecordings(queries)
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const removed = done.filter(({ outcome }) => outcome !== 'kept')
  // If all of them had already ended, the message says so.
  const told = removed.length > 0 ? removed : done
  const [first, second] = told
  if (first !== undefined) {
    const many = first.outcome === 'kept' ? 'keptMany' : manyRemoved(removed)
    const text =
      second === undefined
        ? removedText(first.recording, first.outcome, t)
        : t(`recordings.${many}`, { count: told.length })
    const ids = removed.map(({ recording }) => recording.id)
    notify(ids.length === 0 ? { text } : { text, offer: undoOf(queries, ids, t) })
  }
  throwFirst(results)
}

function manyRemoved(removed: readonly { outcome: Outcome }[]): 'deletedMany' | 'cancelledMany' {
  return removed.every(({ outcome }) => outcome === 'deleted') ? 'deletedMany' : 'cancelledMany'
}

/**
 * Number of calls that run at the same time. The service changes the recordings of an account one after the other, so
 * that hundreds of simultaneous calls would only wait, and then fail.
 */
const MOST_CALLS = 4

/** Makes a call for each item, and returns the results in order. A failure does not stop the other calls. */
async function settleInTurn<Item, Result>(
  items: readonly Item[],
  callFor: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = []
  const coming = items.entries()
  const lane = async () => {
    for (const [place, item] of coming) [results[place]] = await Promise.allSettled([callFor(item)])
  }
  await Promise.all(Array.from({ length: MOST_CALLS }, lane))
  return results
}

/** @throws ApiError the first failure */
function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Returns the undo action for removed recordings. */
function undoOf(queries: QueryClient, ids: readonly number[], t: TFunction): NonNullable<Notice['offer']> {
  return {
    text: t('recordings.undo'),
    act: async () => {
      // If a recording cannot be restored, the others are restored all the same.
      const results = await settleInTurn(ids, async (id) => await call(restoreRecording, { id }))
      await refreshRecordings(queries)
      throwFirst(results)
    },
  }
}

/**
 * Records the next showing of a programme if its recording failed, or if the guide no longer contains the programme
 * (A2.4-03). The new recording replaces the old recording, unless the old one has media. A programme that the guide
 * no longer contains was possibly recorded all the same.
 *
 * @returns the path of the offers, as {@link record} does
 * @throws ApiError
 */
export async function retry(
  queries: QueryClient,
  { id, next }: Pick<Recording, 'id' | 'next'>,
  t: TFunction,
): Promise<string | undefined> {
  if (next === null) return undefined
  const { idEvent, idChannel } = next
  return await refreshing(queries, async () => {
    return await offeringMore(queries, t, async () => {
      await call(createRecording, { idEvent, idChannel, replaces: id })
    })
  })
}
