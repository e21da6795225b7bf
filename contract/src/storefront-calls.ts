import * as z from 'zod'
import { operation } from './operation.ts'
import { integer, text } from './wire.ts'

const PATH = '/operator/storefronts'

/** What belongs to a storefront alone, and goes with it. */
const holdings = z.object({
  /** Accounts of people, without those that were deleted. */
  accounts: z.int(),
  profiles: z.int(),
  /** Articles and pages, in all languages. */
  texts: z.int(),
  /** Revisions of its configuration, words and menus. */
  revisions: z.int(),
})
export type Holdings = z.infer<typeof holdings>

export const listStorefronts = operation({
  name: 'listStorefronts',
  method: 'GET',
  path: PATH,
  as: 'operator',
  summary: 'The storefronts, each with what its removal would take away.',
  input: z.object({}),
  output: z.array(
    z.object({
      apiKey: z.string(),
      name: z.string(),
      hosts: z.array(z.string()),
      networks: z.array(z.string()),
      /** The first storefront answers calls without an api key; it cannot be removed. */
      isFirst: z.boolean(),
      holds: holdings,
    }),
  ),
})

/** The caller names the number of accounts that go, as `listStorefronts` says it: another number is a conflict. */
export const removeStorefront = operation({
  name: 'removeStorefront',
  method: 'POST',
  path: `${PATH}/:apiKey/remove`,
  as: 'operator',
  summary: 'Removes a storefront for good, with its accounts, configuration, words, menus and texts.',
  input: z.object({ apiKey: text(40), accounts: integer(0, 2_147_483_647) }),
  /** What went with it. */
  output: holdings,
  errors: ['notFound', 'conflict'],
})
