import type { Recording } from '@ondine/contract/recordings'
import type { Context } from '../../../context.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import { findRecordableShowings } from './recordable-showings.ts'
import { presentRecording } from './recordings.presenter.ts'
import { findShownRecordings, type RecordingsWanted } from './recordings.repository.ts'
import { isShown } from './recordings.service.ts'

/** Returns the recordings of a profile that its viewer sees, the latest programme first. */
export async function listShown(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  wanted: RecordingsWanted,
  { viewer, language, now }: Reader,
): Promise<Recording[]> {
  const rows = (await findShownRecordings(db, wanted)).filter((row) => isShown(viewer, row))
  const lost = rows.filter(
    ({ failed, droppedAt, withheldAt }) => failed || droppedAt !== null || withheldAt !== null,
  )
  const next = await findRecordableShowings(
    db,
    lost.map(({ recordedProgrammeId }) => recordedProgrammeId),
    now,
  )
  const isLost = new Set(lost)
  const keepDays = settings.RECORDING_KEEP_DAYS
  return rows.map((row) => {
    const showing = isLost.has(row) ? next.of(row.recordedProgrammeId, viewer, wanted.profileId) : undefined
    return presentRecording(row, { next: showing, keepDays }, viewer, language, now)
  })
}
