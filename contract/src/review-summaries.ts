import * as z from 'zod'
import { address } from './configuration-fields.ts'
import { SCORES } from './constants.ts'
import { operation } from './operation.ts'
import { title } from './scores.ts'

/** A quotation from a review. */
const reviewExcerpt = z.strictObject({
  /** The publisher of the review. */
  source: z.string().min(1).max(100),
  rating: z.number().min(0).max(SCORES.max),
  excerpt: z.string().min(1).max(1000),
  /** Address of the full review. */
  link: address.min(1),
})
export type ReviewExcerpt = z.infer<typeof reviewExcerpt>

const words = z.array(z.string().min(1).max(60)).max(50).default([])

/** A language model's summary of a title's reviews, in one language (V3-40). */
export const reviewSummary = z.strictObject({
  summary: z.string().max(4000).default(''),
  /** Positive and negative words, the most frequent first. */
  sentiment: z.strictObject({ positive: words, negative: words }).prefault({}),
  reviews: z.array(reviewExcerpt).max(50).default([]),
})
export type ReviewSummary = z.infer<typeof reviewSummary>

/**
 * Returns the summary of a title's reviews, limited to the parts that the operator shows (V3-40, V3-49); null
 * if there is none, or if summaries are disabled (V1-10). For a client, the call never fails (A8.3-04).
 */
export const aISummary = operation({
  method: 'POST',
  path: '/proxy/aISummary',
  as: 'visitor',
  summary: "A language model's summary of a title's reviews.",
  input: z.object(title),
  output: reviewSummary.nullable(),
  errors: ['contentIdMissing', 'notFound'],
  otherwise: null,
})
