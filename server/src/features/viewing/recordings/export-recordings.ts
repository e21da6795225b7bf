import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { recordings, seriesRecordings } from './recordings.table.ts'

/** Reads the recordings of an account, and the series that it records. */
export async function exportRecordings(db: Database, accountId: number): Promise<AccountData> {
  const { startsAt, endsAt } = readableColumns(recordedProgrammes)
  return {
    recordings: await db
      .select({
        ...readableColumns(recordings),
        title: recordedProgrammes.titles,
        channelId: recordedProgrammes.channelId,
        startsAt,
        endsAt,
      })
      .from(recordings)
      .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
      .where(eq(recordings.accountId, accountId))
      .orderBy(recordings.id),
    seriesRecordings: await db
      .select(readableColumns(seriesRecordings))
      .from(seriesRecordings)
      .where(eq(seriesRecordings.accountId, accountId))
      .orderBy(seriesRecordings.id),
  }
}
