import type { Language } from '@ondine/contract/languages'
import type { SoldType } from '@ondine/contract/offers'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Viewer } from '../entitlements/entitlements.service.ts'

/** Properties of a title or channel that its purchase depends on. */
export interface Subject {
  /** Titles by language. For a channel, only its name in the viewer's language. */
  titles: LocalisedText
  packageIds: readonly number[]
  /** Whether the viewer's packages include the title or channel. */
  isIncluded: boolean
  /** Whether the title or channel requires the parental code to play. */
  isNeedParentalCode: boolean
  /** Whether the title or channel can be played now, or will be live later. */
  isAvailable: boolean
}

/** The viewer for whom a title or channel is looked up. */
export interface SubjectReader {
  viewer: Viewer
  language: Language
  /** Milliseconds since the Unix epoch. */
  now: number
}

/**
 * Looks up a title or channel that is sold separately. The catalogue implements this function, because orders
 * cannot import the catalogue.
 *
 * @returns undefined if the title or channel does not exist for the viewer
 */
export type FindSubject = (
  subject: { type: SoldType; id: number },
  reader: SubjectReader,
) => Promise<Subject | undefined>
