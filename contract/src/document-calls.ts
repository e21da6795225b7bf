import * as z from 'zod'
import { integer, text } from './wire.ts'

// Shared parts of the calls that change a document of a storefront, such as its configuration or its interface
// texts.

const MAX_REVISION = 2_147_483_647

/** The number of a revision. Revision 0 is the empty document. */
export const revision = integer(0, MAX_REVISION)

/** The reason for a change, shown in the history. */
export const reason = text(500).default('')

/** An invalid field of the configuration, or an invalid interface text. */
export const fault = z.object({
  /** Path of the field or text, with names separated by dots: `accounts.resetPassword.mode`, `home.title`. */
  path: z.string(),
  message: z.string(),
})
export type DocumentFault = z.infer<typeof fault>

/**
 * A field or a text that differs between two revisions. If `from` or `to` is omitted, that revision used the
 * default.
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

/**
 * The fields of a call that request a part of the history: at most `count` revisions that are older than revision
 * `before`.
 */
export const historyPage = { before: revision.default(MAX_REVISION), count: integer(1, 100).default(20) }

/** Changes with their author, time and reason, newest first. */
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
