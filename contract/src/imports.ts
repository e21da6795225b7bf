import * as z from 'zod'
import { operation } from './operation.ts'

/** One file on its way into the library. */
export const importItem = z.object({
  id: z.int(),
  title: z.string(),
  kind: z.enum(['film', 'episode', 'trailer', 'channel']),
  state: z.enum([
    'waiting',
    'making',
    'probing',
    'encoding',
    'packaging',
    'publishing',
    'ready',
    'failed',
    'cancelled',
  ]),
  /** 0 to 100. */
  percent: z.number(),
  secondsLeft: z.number().nullable(),
  /** Why it failed, in words. */
  reason: z.string().nullable(),
})
export type ImportItem = z.infer<typeof importItem>

/** What is being prepared; anyone may see it while the demonstration library arrives. */
export const importProgress = operation({
  method: 'GET',
  path: '/proxy/importProgress',
  as: 'visitor',
  summary: 'How far the library has come.',
  input: z.object({}),
  output: z.object({
    running: z.boolean(),
    ready: z.int(),
    total: z.int(),
    percent: z.number(),
    secondsLeft: z.number().nullable(),
    items: z.array(importItem),
  }),
  errors: ['forbidden'],
})
