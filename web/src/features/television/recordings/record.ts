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
import { notify } from '../../ground/notices/notice.ts'
import { refreshRecordings } from './recordings-query.ts'

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
): Promise<string | undefined> {
  try {
    return await offeringMore(async () => {
      await call(createRecording, { idEvent: id, idChannel: id_channel })
    })
  } finally {
    await refreshRecordings(queries)
  }
}

/**
 * Makes a call that records. If the recording space is full, asks whether the viewer wants an offer with more (A2.4-04).
 *
 * @returns the path of the offers, if the viewer wants to see them
 * @throws ApiError
 */
export async function offeringMore(recording: () => Promise<void>): Promise<string | undefined> {
  try {
    await recording()
  } catch (error) {
    if (!(error instanceof ApiError) || !QUOTA_CODES.has(error.code)) throw error
    return (await modal.open('quotaLimit', {})) ? pathOf('offers') : undefined
  }
  return undefined
}

/**
 * Cancels, stops or deletes a recording, and offers undo (A2.4-03).
 *
 * @throws ApiError
 */
export async function remove(
  queries: QueryClient,
  { id, title }: Pick<Recording, 'id' | 'title'>,
  t: TFunction,
): Promise<void> {
  const { outcome } = await call(removeRecording, { id })
  await refreshRecordings(queries)
  notify({
    text: t(`recordings.${outcome}`, { title }),
    undo: {
      text: t('recordings.undo'),
      act: async () => {
        await call(restoreRecording, { id })
        await refreshRecordings(queries)
      },
    },
  })
}

/**
 * Records the next showing of a programme whose recording failed or was dropped, in place of that recording (A2.4-03).
 *
 * @returns the path of the offers, as {@link record} does
 * @throws ApiError
 */
export async function retry(
  queries: QueryClient,
  { id, next }: Pick<Recording, 'id' | 'next'>,
): Promise<string | undefined> {
  if (next === null) return undefined
  const offers = await record(queries, { id: next.idEvent, id_channel: next.idChannel })
  if (offers === undefined) await call(removeRecording, { id })
  await refreshRecordings(queries)
  return offers
}
