import * as z from 'zod'
import { changed, difference, fault, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { json } from './wire.ts'

/** Longest list of changes in one call. */
const MOST_CHANGES = 200

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
  input: z.object(historyPage),
  output: history,
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
