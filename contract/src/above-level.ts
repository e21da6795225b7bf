import * as z from 'zod'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** Kinds of content with a level and a page of their own. */
export const LEVELLED = ['asset', 'category', 'channel', 'event'] as const
export type Levelled = (typeof LEVELLED)[number]

/**
 * Tells whether a child's profile is kept from something by its level (spec 27). All other calls answer as if such content did not
 * exist. This one distinguishes the two cases, and reveals nothing else. Always false for an adult's profile, from which levels
 * hide nothing.
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
