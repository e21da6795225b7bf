import * as z from 'zod'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** Kinds of content that have a level and a page. */
export const LEVELLED = ['asset', 'category', 'channel', 'event'] as const
export type Levelled = (typeof LEVELLED)[number]

/**
 * Returns whether content is hidden from a child's profile because of the content's level (spec 27). All other calls
 * answer as if hidden content did not exist. This call distinguishes hidden content from missing content, and reveals
 * nothing else. Always false for an adult's profile, because levels hide nothing from it.
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
