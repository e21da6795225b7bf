import { listStorefronts, removeStorefront } from '@ondine/contract/storefront-calls'
import type { Context } from '../../../context.ts'
import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { StorefrontError } from '../../settings/storefronts/storefronts.service.ts'
import { holdingsOf, removeStorefront as remove } from './remove-storefront.ts'

/** Registers the operator calls for storefronts. */
export function registerStorefronts(on: On, context: Context): void {
  const { storefronts } = context

  on(listStorefronts, async (_input, { db }) => {
    const first = storefronts.first()
    return await Promise.all(
      storefronts.list().map(async ({ id, apiKey, name, hosts, networks }) => ({
        apiKey,
        name,
        hosts,
        networks,
        isFirst: id === first.id,
        holds: await holdingsOf(db, id),
      })),
    )
  })

  on(removeStorefront, async ({ apiKey, accounts }, { db }) => {
    const storefront = storefronts.of(apiKey)
    if (!storefront) throw notFoundBy('apiKey')
    const holds = await holdingsOf(db, storefront.id)
    if (holds.accounts !== accounts) throw new ServiceError('conflict')
    try {
      await remove(context, storefront)
    } catch (error) {
      if (!(error instanceof StorefrontError)) throw error
      throw invalidFields([{ field: 'apiKey', message: error.message }])
    }
    return holds
  })
}
