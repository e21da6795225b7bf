import * as z from 'zod'
import { channelList, guideSource } from './import-sources.ts'
import { operation } from './operation.ts'
import { flag, id, integer, json } from './wire.ts'

// Operator calls for channel lists and guides that the service imports repeatedly.

/** An import run: its progress, or its result. Times are seconds since the Unix epoch. */
const importRun = z.object({
  id: z.int(),
  startedAt: z.number(),
  /** When the import ended; null while it is in progress. */
  endedAt: z.number().nullable(),
  /** Progress of the import, 0 to 100. */
  percent: z.number(),
  /** Reason why nothing was imported, as text. Null while the import runs, and after success. */
  failure: z.string().nullable(),
  /** The result: `added`, `changed`, `unchanged`, `refused` and similar counts. */
  counts: z.record(z.string(), z.number()),
  /** Number of lines that were refused or corrected. `importRemarks` lists them. */
  remarks: z.int(),
})
export type PresentedRun = z.infer<typeof importRun>

const lastRun = { id: z.int(), run: importRun.nullable() }
const guide = guideSource.extend(lastRun)
const list = channelList.extend(lastRun)

/**
 * The answer to a request for an import. The import runs as soon as a worker is free. From then on, the list of
 * the source's runs contains the import.
 */
const asked = z.object({ queued: z.literal(true) })
const byId = z.object({ id })
const page = { offset: integer(0, 1_000_000).default(0), limit: integer(1, 200).default(50) }
const runs = z.object({ total: z.int(), runs: z.array(importRun) })

const GUIDES = '/operator/guide/sources'
const LISTS = '/operator/channels/lists'

/** All guide sources, sorted by name. */
export const listGuideSources = operation({
  name: 'listGuideSources',
  method: 'GET',
  path: GUIDES,
  as: 'operator',
  summary: 'The guide sources by name, each with its latest import.',
  input: z.object({}),
  output: z.array(guide),
})

/** Adds a source. A file on the server can only be added by the command line. */
export const addGuideSource = operation({
  name: 'addGuideSource',
  method: 'POST',
  path: `${GUIDES}/add`,
  as: 'operator',
  summary: 'Adds a guide source, which is imported on its schedule.',
  input: z.object({ source: json(guideSource) }),
  output: guide,
  errors: ['conflict'],
})

/** Changes a source. Omitted fields are not changed, and the name cannot be changed. */
export const changeGuideSource = operation({
  name: 'changeGuideSource',
  method: 'POST',
  path: `${GUIDES}/:id/change`,
  as: 'operator',
  summary: 'Changes a guide source.',
  input: z.object({ id, changes: json(z.record(z.string(), z.unknown())) }),
  output: guide,
  errors: ['notFound'],
})

export const removeGuideSource = operation({
  name: 'removeGuideSource',
  method: 'POST',
  path: `${GUIDES}/:id/remove`,
  as: 'operator',
  summary: 'Removes a guide source and its programmes.',
  input: byId,
  output: z.null(),
  errors: ['notFound'],
})

export const runGuideSource = operation({
  name: 'runGuideSource',
  method: 'POST',
  path: `${GUIDES}/:id/run`,
  as: 'operator',
  summary: 'Imports a guide as soon as a worker is free.',
  input: byId,
  output: asked,
  errors: ['notFound'],
})

/** Returns the latest imports, newest first. */
export const guideSourceRuns = operation({
  name: 'guideSourceRuns',
  method: 'GET',
  path: `${GUIDES}/:id/runs`,
  as: 'operator',
  summary: 'The latest imports of a guide, the newest first, with the progress of a running one.',
  input: z.object({ id, ...page }),
  output: runs,
  errors: ['notFound'],
})

/** All channel lists, sorted by name. */
export const listChannelLists = operation({
  name: 'listChannelLists',
  method: 'GET',
  path: LISTS,
  as: 'operator',
  summary: 'The channel lists by name, each with its latest import.',
  input: z.object({}),
  output: z.array(list),
})

/** Adds a list. A file on the server can only be added by the command line. */
export const addChannelList = operation({
  name: 'addChannelList',
  method: 'POST',
  path: `${LISTS}/add`,
  as: 'operator',
  summary: 'Adds a channel list (M3U), which is imported on its schedule.',
  input: z.object({ list: json(channelList) }),
  output: list,
  errors: ['conflict'],
})

/** Changes a list. Omitted fields are not changed, and the name cannot be changed. */
export const changeChannelList = operation({
  name: 'changeChannelList',
  method: 'POST',
  path: `${LISTS}/:id/change`,
  as: 'operator',
  summary: 'Changes a channel list.',
  input: z.object({ id, changes: json(z.record(z.string(), z.unknown())) }),
  output: list,
  errors: ['notFound'],
})

/**
 * Removes a list with its channels, their programmes and their recordings. If viewers have recordings of the channels,
 * the error is conflict, unless `withRecordings` confirms that they are deleted too. This cannot be undone.
 */
export const removeChannelList = operation({
  name: 'removeChannelList',
  method: 'POST',
  path: `${LISTS}/:id/remove`,
  as: 'operator',
  summary: 'Removes a channel list and its channels.',
  input: z.object({ id, withRecordings: flag.default(false) }),
  output: z.null(),
  errors: ['notFound', 'conflict'],
})

export const runChannelList = operation({
  name: 'runChannelList',
  method: 'POST',
  path: `${LISTS}/:id/run`,
  as: 'operator',
  summary: 'Imports a channel list as soon as a worker is free.',
  input: byId,
  output: asked,
  errors: ['notFound'],
})

/** Returns the latest imports, newest first. */
export const channelListRuns = operation({
  name: 'channelListRuns',
  method: 'GET',
  path: `${LISTS}/:id/runs`,
  as: 'operator',
  summary: 'The latest imports of a channel list, the newest first, with the progress of a running one.',
  input: z.object({ id, ...page }),
  output: runs,
  errors: ['notFound'],
})

/** Returns the lines that an import refused or corrected, sorted by line number, at most a thousand. */
export const importRemarks = operation({
  name: 'importRemarks',
  method: 'GET',
  path: '/operator/imports/:id/remarks',
  as: 'operator',
  summary: 'Lines that an import of channels or of a guide refused or corrected, each with its reason.',
  input: z.object({ id, ...page }),
  output: z.object({
    total: z.int(),
    remarks: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
  errors: ['notFound'],
})
