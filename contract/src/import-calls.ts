import * as z from 'zod'
import { channelList, guideSource } from './import-sources.ts'
import { operation } from './operation.ts'
import { id, integer, json } from './wire.ts'

// What operators do with the lists of channels and the guides that are imported again and again.

/** One import: how far it is, or what it came to. Times are seconds since the Unix epoch. */
export const importRun = z.object({
  id: z.int(),
  startedAt: z.number(),
  /** Null while it runs. */
  endedAt: z.number().nullable(),
  /** 0 to 100. */
  percent: z.number(),
  /** Why nothing was taken, in words; null while it runs, and when it was taken. */
  failure: z.string().nullable(),
  /** What it came to: `added`, `changed`, `unchanged`, `refused` and their like. */
  counts: z.record(z.string(), z.number()),
  /** How many lines were refused or mended; `importRemarks` has them. */
  remarks: z.int(),
})
export type PresentedRun = z.infer<typeof importRun>

const lastRun = { id: z.int(), run: importRun.nullable() }
const guide = guideSource.extend(lastRun)
const list = channelList.extend(lastRun)

/** What runs as soon as a worker is free: the runs of the subject show it then. */
const asked = z.object({ queued: z.literal(true) })
const byId = z.object({ id })
const page = { offset: integer(0, 1_000_000).default(0), limit: integer(1, 200).default(50) }
const runs = z.object({ total: z.int(), runs: z.array(importRun) })

const GUIDES = '/operator/guide/sources'
const LISTS = '/operator/channels/lists'

/** All sources of guides, by name. */
export const listGuideSources = operation({
  name: 'listGuideSources',
  method: 'GET',
  path: GUIDES,
  as: 'operator',
  summary: 'The sources of guides by name, each with its latest import.',
  input: z.object({}),
  output: z.array(guide),
})

/** Keeps a source. A file of the service's machine is named by a command only. */
export const addGuideSource = operation({
  name: 'addGuideSource',
  method: 'POST',
  path: `${GUIDES}/add`,
  as: 'operator',
  summary: 'Keeps the source of a guide, to be imported when it says.',
  input: z.object({ source: json(guideSource) }),
  output: guide,
  errors: ['conflict'],
})

/** What is left out stays. A source keeps its name. */
export const changeGuideSource = operation({
  name: 'changeGuideSource',
  method: 'POST',
  path: `${GUIDES}/:id/change`,
  as: 'operator',
  summary: 'Changes the source of a guide.',
  input: z.object({ id, changes: json(z.record(z.string(), z.unknown())) }),
  output: guide,
  errors: ['notFound'],
})

export const removeGuideSource = operation({
  name: 'removeGuideSource',
  method: 'POST',
  path: `${GUIDES}/:id/remove`,
  as: 'operator',
  summary: 'Forgets the source of a guide, with what it announced.',
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

/** The last imports; the newest first. */
export const guideSourceRuns = operation({
  name: 'guideSourceRuns',
  method: 'GET',
  path: `${GUIDES}/:id/runs`,
  as: 'operator',
  summary: 'The last imports of a guide, the newest first, with the progress of one under way.',
  input: z.object({ id, ...page }),
  output: runs,
  errors: ['notFound'],
})

/** All lists of channels, by name. */
export const listChannelLists = operation({
  name: 'listChannelLists',
  method: 'GET',
  path: LISTS,
  as: 'operator',
  summary: 'The lists of channels by name, each with its latest import.',
  input: z.object({}),
  output: z.array(list),
})

/** Keeps a list. A file of the service's machine is named by a command only. */
export const addChannelList = operation({
  name: 'addChannelList',
  method: 'POST',
  path: `${LISTS}/add`,
  as: 'operator',
  summary: 'Keeps a list of channels (M3U), to be imported when it says.',
  input: z.object({ list: json(channelList) }),
  output: list,
  errors: ['conflict'],
})

/** What is left out stays. A list keeps its name. */
export const changeChannelList = operation({
  name: 'changeChannelList',
  method: 'POST',
  path: `${LISTS}/:id/change`,
  as: 'operator',
  summary: 'Changes a list of channels.',
  input: z.object({ id, changes: json(z.record(z.string(), z.unknown())) }),
  output: list,
  errors: ['notFound'],
})

export const removeChannelList = operation({
  name: 'removeChannelList',
  method: 'POST',
  path: `${LISTS}/:id/remove`,
  as: 'operator',
  summary: 'Forgets a list of channels, with its channels.',
  input: byId,
  output: z.null(),
  errors: ['notFound'],
})

export const runChannelList = operation({
  name: 'runChannelList',
  method: 'POST',
  path: `${LISTS}/:id/run`,
  as: 'operator',
  summary: 'Imports a list of channels as soon as a worker is free.',
  input: byId,
  output: asked,
  errors: ['notFound'],
})

/** The last imports; the newest first. */
export const channelListRuns = operation({
  name: 'channelListRuns',
  method: 'GET',
  path: `${LISTS}/:id/runs`,
  as: 'operator',
  summary: 'The last imports of a list of channels, the newest first, with the progress of one under way.',
  input: z.object({ id, ...page }),
  output: runs,
  errors: ['notFound'],
})

/** What an import refused or mended, by line: the first thousand. */
export const importRemarks = operation({
  name: 'importRemarks',
  method: 'GET',
  path: '/operator/imports/:id/remarks',
  as: 'operator',
  summary: 'Lines that an import of channels or of a guide refused or mended, each with its reason.',
  input: z.object({ id, ...page }),
  output: z.object({
    total: z.int(),
    remarks: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
  errors: ['notFound'],
})
