import * as z from 'zod'
import { changed, difference, fault, history, historyPage, reason, revision } from './document-calls.ts'
import { operation } from './operation.ts'
import { json } from './wire.ts'

/** Maximum number of changes in one call. */
const MOST_CHANGES = 200

/** Returns the effective configuration, and the fields that an operator has set (V1-01). */
export const readConfiguration = operation({
  name: 'readConfiguration',
  method: 'GET',
  path: '/operator/configuration',
  as: 'operator',
  summary: 'The configuration of a storefront with its revision, and the fields that were set.',
  input: z.object({}),
  output: z.object({
    revision: z.int(),
    set: z.unknown(),
    configuration: z.unknown(),
    warnings: z.array(fault),
  }),
})

/** Changes fields of the configuration: all the given changes, or none if one is invalid. */
export const changeConfiguration = operation({
  name: 'changeConfiguration',
  method: 'POST',
  path: '/operator/configuration/change',
  as: 'operator',
  summary: 'Sets fields of the configuration or resets them to their defaults: all or none.',
  input: z.object({
    /**
     * The latest revision that the caller has read. If a newer revision exists, the call fails with a conflict.
     */
    revision,
    /** A change without a value resets its field to the default. */
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

/** Replaces the whole configuration of the storefront. */
export const replaceConfiguration = operation({
  name: 'replaceConfiguration',
  method: 'POST',
  path: '/operator/configuration/replace',
  as: 'operator',
  summary: 'Replaces all fields of the configuration that were set.',
  input: z.object({ revision, document: json(z.record(z.string(), z.unknown())), reason }),
  output: changed,
  errors: ['conflict'],
})

/** Restores an earlier revision by adding a new revision with the same content. */
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

/** Undoes the last change. A repeated call undoes the change before that. */
export const undoConfiguration = operation({
  name: 'undoConfiguration',
  method: 'POST',
  path: '/operator/configuration/undo',
  as: 'operator',
  summary: 'Undoes the last change of the configuration. Called again, undoes the one before it.',
  input: z.object({ revision, reason }),
  output: changed,
  errors: ['conflict', 'notFound'],
})

/** Returns the changes with their author, time and reason, newest first. */
export const configurationHistory = operation({
  name: 'configurationHistory',
  method: 'GET',
  path: '/operator/configuration/history',
  as: 'operator',
  summary: 'The changes of the configuration, the newest first.',
  input: z.object(historyPage),
  output: history,
})

/** Returns the differences between two revisions. Revision 0 is the empty configuration. */
export const diffConfiguration = operation({
  name: 'diffConfiguration',
  method: 'GET',
  path: '/operator/configuration/diff',
  as: 'operator',
  summary: 'The differences between two revisions of the configuration.',
  input: z.object({ from: revision, to: revision }),
  output: z.array(difference),
  errors: ['notFound'],
})

/** Returns the API key of the storefront that serves a client's network (V7-32). */
export const redirectedKey = operation({
  method: 'GET',
  path: '/configuration/redirectedKey',
  as: 'visitor',
  summary: 'The api key of the storefront that serves the network of a client.',
  input: z.object({
    /** Address of the client. By default, the address of the caller. */
    clientIp: z.union([z.ipv4(), z.ipv6()]).optional(),
  }),
  output: z.object({ apiKey: z.string() }),
})
