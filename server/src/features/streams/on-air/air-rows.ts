import type { Database } from '../../../database/connection.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'
import {
  type CopiedEntry,
  findCopiedEntries,
  findCopiedLiveSets,
  findCopiedRatings,
  findStoredCopiedRatings,
  isLiveCopy,
} from './copied-sets.repository.ts'
import {
  findEntries,
  findIsLive,
  findLiveSets,
  findRatings,
  findStoredRatings,
  type LiveSetRow,
} from './on-air.repository.ts'

/** An entry of a library channel, or its copy. */
type AirEntry = EntryRow & Partial<CopiedEntry>

/**
 * The rows that describe the media of a channel. They are the rows of the channel itself, or of a recording's
 * copy.
 */
export interface AirRows {
  /** Returns whether the media comes from a live input. */
  isLive(channelId: number): Promise<boolean>
  entries(channelId: number, from: number, to: number): Promise<AirEntry[]>
  ratings(channelId: number, positions: readonly number[]): Promise<Map<number, Rated>>
  liveSets(channelId: number, from: number, position: number, to?: number): Promise<LiveSetRow[]>
  storedRatings(channelId: number, positions: readonly number[]): Promise<Map<number, Rated | null>>
}

/** Returns the rows of channels. */
export function channelRows(db: Database): AirRows {
  return {
    isLive: async (channelId) => await findIsLive(db, channelId),
    entries: async (channelId, from, to) => await findEntries(db, channelId, from, to),
    ratings: async (channelId, positions) => await findRatings(db, channelId, positions),
    liveSets: async (channelId, from, position, to) => await findLiveSets(db, channelId, from, position, to),
    storedRatings: async (channelId, positions) => await findStoredRatings(db, channelId, positions),
  }
}

/** Returns the rows of a recording's copy. The copy must be ready. */
export function copyRows(db: Database, copyId: number): AirRows {
  return {
    isLive: async () => await isLiveCopy(db, copyId),
    entries: async (_channelId, from, to) => await findCopiedEntries(db, copyId, from, to),
    ratings: async (_channelId, positions) => await findCopiedRatings(db, copyId, positions),
    liveSets: async (_channelId, from, position, to) =>
      await findCopiedLiveSets(db, copyId, from, position, to),
    storedRatings: async (_channelId, positions) => await findStoredCopiedRatings(db, copyId, positions),
  }
}
