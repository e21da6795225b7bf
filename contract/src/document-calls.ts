import * as z from 'zod'
import { integer, text } from './wire.ts'

// What all calls that change a document of a storefront (its configuration, its words) have in common.

const MAX_REVISION = 2_147_483_647

/** The number of a revision; 0 is the document before anything was set. */
export const revision = integer(0, MAX_REVISION)

/** Why something is changed, for the history. */
export const reason = text(500).default('')

/** Something about a part of a document. */
export const fault = z.object({
  /** Names with dots: `accounts.resetPassword.mode`, `home.title`. */
  path: z.string(),
  message: z.string(),
})
export type Fault = z.infer<typeof fault>

/** A part that has another value; without `from` or `to` it was or is its default. */
export const difference = z.object({
  path: z.string(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
})
export type Difference = z.infer<typeof difference>

/** What a change did. */
export const changed = z.object({
  /** The revision that counts now. */
  revision: z.int(),
  differences: z.array(difference),
  warnings: z.array(fault),
})

/** Which part of a history is asked for. */
export const historyPage = { before: revision.default(MAX_REVISION), count: integer(1, 100).default(20) }

/** Who changed what, when and why; the newest first. */
export const history = z.array(
  z.object({
    revision: z.int(),
    author: z.string(),
    reason: z.string(),
    /** Seconds since the Unix epoch. */
    madeAt: z.number(),
    /** The revision that this one is a return to. */
    restores: z.int().nullable(),
    differences: z.array(difference),
  }),
)
