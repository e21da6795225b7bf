import * as z from 'zod'
import { SCORES } from './constants.ts'
import { operation } from './operation.ts'
import { id, integer } from './wire.ts'

/** The scores of a title. */
const titleScore = z.object({
  /**
   * The score that the active profile gave, 1 to 5. Null if the profile gave none, and for a viewer who is not signed
   * in.
   */
  score: z.int().nullable(),
  /** Average of all profiles, 1 to 5 with one decimal; null before the first score. */
  average: z.number().nullable(),
  /** Number of profiles with a score. */
  count: z.int(),
})
export type TitleScore = z.infer<typeof titleScore>

const NO_SCORE: TitleScore = { score: null, average: null, count: 0 }

/** Each call about scores has one of these ids: `idAsset` for a film or an episode, `idCategory` for a series. */
export const title = { idAsset: id.optional(), idCategory: id.optional() }

/** The score of a title (V7-16). For a client, the call never fails (A8.3-04). */
export const assetScore = operation({
  method: 'POST',
  path: '/proxy/assetScore',
  as: 'visitor',
  summary: 'The score of a title by the active profile, and the average of all profiles.',
  input: z.object(title),
  output: titleScore,
  errors: ['contentIdMissing', 'notFound'],
  otherwise: NO_SCORE,
})

/** Scores a title, or removes its score (V7-17). */
export const changeScoreAsset = operation({
  method: 'POST',
  path: '/proxy/changeScoreAsset',
  as: 'profile',
  child: 'allowed',
  summary: "Sets the active profile's score of a title.",
  input: z.object({
    ...title,
    /** 0 removes the score. */
    score: integer(0, SCORES.max),
  }),
  output: titleScore,
  errors: ['contentIdMissing', 'notFound'],
})
