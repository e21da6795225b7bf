import * as z from 'zod'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** What has a level, and a page of its own. */
export const LEVELLED = ['asset', 'category', 'channel', 'event'] as const
export type Levelled = (typeof LEVELLED)[number]

/**
 * Whether a child's profile is kept from something by its level (decision 27). Every other call answers about it as about what
 * does not exist; this one tells the two apart, and says nothing else of it. False for the profile of a grown-up, which may see
 * that everything exists.
 */
export const aboveLevel = operation({
  method: 'POST',
  path: '/proxy/aboveLevel',
  as: 'profile',
  child: 'allowed',
  summary: "Whether something exists and is above the level of the child's profile that asks.",
  input: z.object({ contentType: z.enum(LEVELLED), contentId: id }),
  output: z.object({ above: z.boolean() }),
  otherwise: { above: false },
})
