import * as z from 'zod'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** Kinds of content that have a level and a page. */
export const LEVELLED = ['asset', 'category', 'channel', 'event'] as const
export type Levelled = (typeof LEVELLED)[number]

/**
 * Returns whether content exists but is hidden from a child's profile because of the content's level (spec 27).
 * All other calls answer as if hidden content did not exist. This call reveals only the difference between hidden
 * and missing content. Always false for an adult's profile, because levels hide nothing from adults.
 */
export const aboveLevel = operation({
  method: 'POST',
  path: '/proxy/aboveLevel',
  as: 'profile',
  child: 'allowed',
  summary: 'Whether something exists but is above the level of the active child profile.',
  input: z.object({ contentType: z.enum(LEVELLED), contentId: id }),
  output: z.object({ above: z.boolean() }),
  otherwise: { above: false },
})
