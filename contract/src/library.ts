import * as z from 'zod'
import { operation } from './operation.ts'

/** A file that is being imported into the library. */
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
  /** Progress of the import, 0 to 100. */
  percent: z.number(),
  secondsLeft: z.number().nullable(),
  /** Why the import of the title failed, in words. */
  reason: z.string().nullable(),
})
export type ImportItem = z.infer<typeof importItem>

/**
 * Returns the progress of the imports. Everybody may make this call in a storefront of the demonstration. In all
 * other storefronts, the call is forbidden.
 */
export const importProgress = operation({
  method: 'GET',
  path: '/proxy/importProgress',
  as: 'visitor',
  summary: 'The progress of importing the library.',
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
