import * as z from 'zod'
import { integer, text } from './wire.ts'

// Shared parts of the calls that change a document of a storefront, such as its configuration or words.

const MAX_REVISION = 2_147_483_647

/** The number of a revision. 0 is the document before anything was set. */
export const revision = integer(0, MAX_REVISION)

/** The reason for a change, for the history. */
export const reason = text(500).default('')

/** A problem in a part of a document. */
export const fault = z.object({
  /** Path of the field or text, with names separated by dots: `accounts.resetPassword.mode`, `home.title`. */
  path: z.string(),
  message: z.string(),
})
export type Fault = z.infer<typeof fault>

/**
 * A part whose value differs between two revisions. If `from` or `to` is omitted, the value in that revision
 * is the default.
 */
export const difference = z.object({
  path: z.string(),
  from: z.unknown().optional(),
  to: z.unknown().optional(),
})
export type Difference = z.infer<typeof difference>

/** The result of a change. */
export const changed = z.object({
  /** The current revision. */
  revision: z.int(),
  differences: z.array(difference),
  warnings: z.array(fault),
})

/** The requested part of a history. */
export const historyPage = { before: revision.default(MAX_REVISION), count: integer(1, 100).default(20) }

/** The changes with their author, time and reason, the newest first. */
export const history = z.array(
  z.object({
    revision: z.int(),
    author: z.string(),
    reason: z.string(),
    /** Seconds since the Unix epoch. */
    madeAt: z.number(),
    /** The earlier revision that this revision restores; null for an ordinary change. */
    restores: z.int().nullable(),
    differences: z.array(difference),
  }),
)
