import type { Recording } from '@ondine/contract/recordings'
import type { Reader } from './catalogue.presenter.ts'

/** The recordings of a profile that are in the rails of home. Only recordings that the viewer may see and play. */
export interface RailRecordings {
  /** Recordings in progress, the most recently watched first. */
  begun: readonly Recording[]
  /** Favourite recordings, the most recently added first. */
  favourites: readonly Recording[]
}

/** No recordings. */
export const NO_RECORDINGS: RailRecordings = { begun: [], favourites: [] }

/** Port to the recordings. Their feature is above the catalogue, so the catalogue cannot import it. */
export type ProfileRecordings = (reader: Reader) => Promise<RailRecordings>
