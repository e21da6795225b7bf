import type { Language } from '@ondine/contract/languages'
import type { SoldType } from '@ondine/contract/offers'
import type { Texts } from '../../../database/columns.ts'
import type { Viewer } from '../entitlements/entitlements.service.ts'

/** A title or a channel that somebody wants to buy, as far as that goes. */
export interface Subject {
  /** Titles by language. A channel has its name in the reader's language only. */
  titles: Texts
  packageIds: readonly number[]
  /** The viewer has it already, by packages. */
  isIncluded: boolean
  /** The viewer gives the parental code before it plays. */
  isNeedParentalCode: boolean
  /** It can be played now, or will be live later. */
  isAvailable: boolean
}

/** Who looks. */
export interface SubjectReader {
  viewer: Viewer
  language: Language
  /** Milliseconds since the Unix epoch. */
  now: number
}

/**
 * Looks up what is sold by itself: the catalogue stands above orders and says what it has.
 *
 * @returns undefined for what is not there for the viewer
 */
export type FindSubject = (
  subject: { type: SoldType; id: number },
  reader: SubjectReader,
) => Promise<Subject | undefined>
