import type { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'

/** The fields of an entry that a Timeline needs. Times are milliseconds since the Unix epoch. */
export type EntryRow = Pick<
  typeof scheduleEntries.$inferSelect,
  | 'position'
  | 'startsAt'
  | 'endsAt'
  | 'trackSetId'
  | 'firstSegment'
  | 'segmentCount'
  | 'mediaSequence'
  | 'discontinuitySequence'
>
