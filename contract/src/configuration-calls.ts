import * as z from 'zod'
import { operation } from './operation.ts'
import { integer, json, text } from './wire.ts'

/** Longest list of changes in one call. */
const MOST_CHANGES = 200
const MAX_REVISION = 2_147_483_647

const revision = integer(0, MAX_REVISION)
const reason = text(500).default('')

/** Something about a field. */
export const fault = z.object({
  /** Names of the sections and fields with dots: `accounts.resetPassword.mode`. */
  path: z.string(),
  message: z.string(),
})
export type Fault = z.infer<typeof fault>

/** A field that has another value; without `from` or `to` it was or is its default. */
export const difference = z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })
export type Difference = z.infer<typeof difference>

const changed = z.object({
  /** The revision that counts now. */
  revision: z.int(),
  differences: z.array(difference),
  warnings: z.array(fault),
})

/** The configuration that counts, and what of it was set (V1-01). */
export const readConfiguration = operation({
  name: 'readConfiguration',
  method: 'GET',
  path: '/operator/configuration',
  as: 'operator',
  summary: 'The configuration of a storefront with its revision, and what of it was set.',
  input: z.object({}),
  output: z.object({
    revision: z.int(),
    set: z.unknown(),
    configuration: z.unknown(),
    warnings: z.array(fault),
  }),
})

/** Changes fields, all or none. */
export const changeConfiguration = operation({
  name: 'changeConfiguration',
  method: 'POST',
  path: '/operator/configuration/change',
  as: 'operator',
  summary: 'Sets fields of the configuration, or gives them their defaults again: all or none.',
  input: z.object({
    /** The revision that the caller has seen; another one since is a conflict. */
    revision,
    /** Without a value the field gets its default again. */
    changes: json(
      z
        .array(z.strictObject({ path: z.string().min(1).max(200), value: z.unknown().optional() }))
        .min(1)
        .max(MOST_CHANGES),
    ),
    reason,
  }),
  output: changed,
  errors: ['conflict'],
})

/** Puts a whole document in the place of what was set. */
export const replaceConfiguration = operation({
  name: 'replaceConfiguration',
  method: 'POST',
  path: '/operator/configuration/replace',
  as: 'operator',
  summary: 'Replaces everything that was set of the configuration.',
  input: z.object({ revision, document: json(z.record(z.string(), z.unknown())), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Returns to an earlier revision, as a new one. */
export const restoreConfiguration = operation({
  name: 'restoreConfiguration',
  method: 'POST',
  path: '/operator/configuration/restore',
  as: 'operator',
  summary: 'Makes an earlier revision of the configuration the newest again.',
  input: z.object({ revision, to: revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Takes the last change back; again, the one before it. */
export const undoConfiguration = operation({
  name: 'undoConfiguration',
  method: 'POST',
  path: '/operator/configuration/undo',
  as: 'operator',
  summary: 'Takes the last change of the configuration back; called again, the one before it.',
  input: z.object({ revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Who changed what, when and why; the newest first. */
export const configurationHistory = operation({
  name: 'configurationHistory',
  method: 'GET',
  path: '/operator/configuration/history',
  as: 'operator',
  summary: 'The changes of the configuration, the newest first.',
  input: z.object({ before: revision.default(MAX_REVISION), count: integer(1, 100).default(20) }),
  output: z.array(
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
  ),
})

/** What differs between two revisions; 0 is the configuration before anything was set. */
export const diffConfiguration = operation({
  name: 'diffConfiguration',
  method: 'GET',
  path: '/operator/configuration/diff',
  as: 'operator',
  summary: 'What differs between two revisions of the configuration.',
  input: z.object({ from: revision, to: revision }),
  output: z.array(difference),
  errors: ['notFound'],
})

/** Which storefront a client's network belongs to (V7-32). */
export const redirectedKey = operation({
  method: 'GET',
  path: '/configuration/redirectedKey',
  as: 'visitor',
  summary: 'The api key of the storefront that serves the network of a client.',
  input: z.object({
    /** Address of the client; left out, that of the caller. */
    clientIp: z.union([z.ipv4(), z.ipv6()]).optional(),
  }),
  output: z.object({ apiKey: z.string() }),
})
