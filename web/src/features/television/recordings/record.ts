import type { Programme } from '@ondine/contract/entities'
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
import { modal } from '../../../modals/modal.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { type Notice, notify } from '../../ground/notices/notice.ts'
import { isChild, sessionQuery } from '../../ground/session/session.ts'
import { isScheduled, refreshRecordings } from './recordings-query.ts'

/** Codes of the errors of a call whose account has no recording time left, or none at all. */
const QUOTA_CODES: ReadonlySet<number> = new Set([CODES.recordingQuotaReached, CODES.quotaContextNotFound])

/** A programme to record: an entry of the guide. */
export type Recordable = Pick<Programme, 'id' | 'id_channel'>

/**
 * Records a programme.
 *
 * @returns the path of the offers, as {@link offeringMore} does
 * @throws ApiError
 */
export async function record(
  queries: QueryClient,
  { id, id_channel }: Recordable,
  t: TFunction,
): Promise<string | undefined> {
  return await refreshing(queries, async () => {
    return await offeringMore(queries, t, async () => {
      await call(createRecording, { idEvent: id, idChannel: id_channel })
    })
  })
}

/**
 * Makes calls that change recordings, and then fetches the recordings. A call may be refused because they have changed in
 * another window, so they are fetched in that case too.
 */
async function refreshing<T>(queries: QueryClient, calls: () => Promise<T>): Promise<T> {
  try {
    return await calls()
  } finally {
    await refreshRecordings(queries)
  }
}

/**
 * Makes a call that records. If the recording space is full, asks whether the viewer wants an offer with more (A2.4-04).
 * A child, which cannot buy, only learns that it is full.
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
    if (!(error instanceof ApiError) || !QUOTA_CODES.has(error.code)) throw error
    if (isChild(await queries.ensureQueryData(sessionQuery))) {
      await modal.open('alert', { title: t('recordings.fullTitle'), description: t('recordings.full') })
      return undefined
    }
    const description = error.code === CODES.quotaContextNotFound ? t('recordings.noHours') : ''
    return (await modal.open('quotaLimit', { description })) ? pathOf('offers') : undefined
  }
  return undefined
}

/**
 * Cancels, stops or deletes a recording, and offers undo (A2.4-03). Does what the button says for the state that the page
 * shows: a recording that has ended meanwhile is not deleted by a button that stops it.
 *
 * @throws ApiError
 */
export async function remove(
  queries: QueryClient,
  { id, title, state }: Pick<Recording, 'id' | 'title' | 'state'>,
  t: TFunction,
): Promise<void> {
  const { outcome } = await refreshing(queries, async () => {
    return await call(removeRecording, { id, intent: intentOf({ state }) })
  })
  const text = t(`recordings.${outcome}`, { title })
  notify(outcome === 'kept' ? { text } : { text, undo: undoOf(queries, [id], t) })
}

/** Returns what the button of a recording says. The recording may have ended since the page showed it. */
function intentOf(recording: Pick<Recording, 'state'>): 'end' | 'delete' {
  return isScheduled(recording) ? 'end' : 'delete'
}

/**
 * Cancels, stops or deletes several recordings, and offers to undo it for all of them. If one fails, the others are
 * removed all the same.
 *
 * @throws ApiError the first failure
 */
export async function removeMany(
  queries: QueryClient,
  recordings: readonly Pick<Recording, 'id' | 'state'>[],
  t: TFunction,
): Promise<void> {
  const results = await Promise.allSettled(
    recordings.map(async ({ id, state }) => {
      const { outcome } = await call(removeRecording, { id, intent: intentOf({ state }) })
      return { id, outcome }
    }),
  )
  await refreshRecordings(queries)
  const removed = results.flatMap((result) =>
    result.status === 'fulfilled' && result.value.outcome !== 'kept' ? [result.value] : [],
  )
  const text = removed.every(({ outcome }) => outcome === 'deleted') ? 'deletedMany' : 'cancelledMany'
  if (removed.length > 0) {
    const ids = removed.map(({ id }) => id)
    notify({
      text: t(`recordings.${text}`, { count: ids.length }),
      undo: undoOf(queries, ids, t),
    })
  }
  throwFirst(results)
}

/** @throws ApiError the first failure */
function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Returns the undo of removed recordings. */
function undoOf(queries: QueryClient, ids: readonly number[], t: TFunction): NonNullable<Notice['undo']> {
  return {
    text: t('recordings.undo'),
    act: async () => {
      // One that cannot come back any more does not keep the others.
      const results = await Promise.allSettled(ids.map(async (id) => await call(restoreRecording, { id })))
      await refreshRecordings(queries)
      throwFirst(results)
    },
  }
}

/**
 * Records the next showing of a programme whose recording failed or was dropped (A2.4-03). It takes the place of that
 * recording, unless there is something to watch in it: a dropped programme can have been recorded all the same.
 *
 * @returns the path of the offers, as {@link record} does
 * @throws ApiError
 */
export async function retry(
  queries: QueryClient,
  { id, state, next }: Pick<Recording, 'id' | 'state' | 'next'>,
  t: TFunction,
): Promise<string | undefined> {
  if (next === null) return undefined
  const { idEvent, idChannel } = next
  const isReplaced = state === 'failed' || state === 'planned'
  return await refreshing(queries, async () => {
    return await offeringMore(queries, t, async () => {
      await call(createRecording, { idEvent, idChannel })
      if (isReplaced) await call(removeRecording, { id, intent: intentOf({ state }) })
    })
  })
}
