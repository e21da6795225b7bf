import * as z from 'zod'
import { operation } from './operation.ts'
import { integer, text } from './wire.ts'

const PATH = '/operator/storefronts'

/** Amounts of data that belongs only to this storefront. Removing the storefront removes this data. */
const holdings = z.object({
  /** Number of accounts, without deleted accounts. */
  accounts: z.int(),
  profiles: z.int(),
  /** Number of articles and pages, in all languages. */
  texts: z.int(),
  /** Number of revisions of the storefront's configuration, words and menus. */
  revisions: z.int(),
})
export type Holdings = z.infer<typeof holdings>

export const listStorefronts = operation({
  name: 'listStorefronts',
  method: 'GET',
  path: PATH,
  as: 'operator',
  summary: 'The storefronts, each with the data that its removal would delete.',
  input: z.object({}),
  output: z.array(
    z.object({
      apiKey: z.string(),
      name: z.string(),
      hosts: z.array(z.string()),
      networks: z.array(z.string()),
      /** The first storefront answers calls without an API key. It cannot be removed. */
      isFirst: z.boolean(),
      holds: holdings,
    }),
  ),
})

/**
 * Removes a storefront. The caller must give the number of its accounts that `listStorefronts` returned. If the number
 * has changed, the call fails with a conflict.
 */
export const removeStorefront = operation({
  name: 'removeStorefront',
  method: 'POST',
  path: `${PATH}/:apiKey/remove`,
  as: 'operator',
  summary: 'Removes a storefront permanently, with its accounts, configuration, words, menus and texts.',
  input: z.object({ apiKey: text(40), accounts: integer(0, 2_147_483_647) }),
  /** Amounts of the data that was removed. */
  output: holdings,
  errors: ['notFound', 'conflict'],
})
