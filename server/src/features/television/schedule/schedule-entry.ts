import type { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'

/** Fields of a schedule entry that a Timeline needs. Times are milliseconds since the Unix epoch. */
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
