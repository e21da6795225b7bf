import type { Language } from '@ondine/contract/languages'
import type { SoldType } from '@ondine/contract/offers'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Viewer } from '../entitlements/entitlements.service.ts'

/** Facts about a title or channel that a purchase depends on. */
export interface Subject {
  /** Titles by language. A channel has its name in the reader's language only. */
  titles: LocalisedText
  packageIds: readonly number[]
  /** Whether the viewer's packages include the title or channel. */
  isIncluded: boolean
  /** Whether the viewer must enter the parental code before the title or channel plays. */
  isNeedParentalCode: boolean
  /** Whether the title or channel can be played now, or will be live later. */
  isAvailable: boolean
}

/** The viewer who looks up a title or channel. */
export interface SubjectReader {
  viewer: Viewer
  language: Language
  /** Milliseconds since the Unix epoch. */
  now: number
}

/**
 * Looks up a title or channel that is sold by itself. The catalogue implements this interface, because the catalogue is
 * above orders.
 *
 * @returns undefined if the title or channel does not exist for the viewer
 */
export type FindSubject = (
  subject: { type: SoldType; id: number },
  reader: SubjectReader,
) => Promise<Subject | undefined>
