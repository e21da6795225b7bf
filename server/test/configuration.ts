import {
  changeConfiguration,
  readConfiguration,
  undoConfiguration,
} from '@ondine/contract/configuration-calls'
import { buildersOf } from './builders.ts'
import type { TestService } from './service.ts'

/**
 * Changes fields of the first storefront's configuration, as an operator does. The keys of `fields` are paths.
 *
 * @returns an object whose `undo` reverts the change
 */
export async function changeConfigurationOf(
  service: TestService,
  fields: Record<string, unknown>,
): Promise<{ undo(): Promise<void> }> {
  const { tokens } = await buildersOf(service.context).operator(
    `configures ${Object.keys(fields).join()} ${Math.random()}`,
  )
  const revision = async () => (await service.call(readConfiguration, {}, tokens)).result.revision
  const changes = Object.entries(fields).map(([path, value]) => ({ path, value }))
  const changed = await service.call(
    changeConfiguration,
    { revision: await revision(), changes, reason: '' },
    tokens,
  )
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.error))
  return {
    undo: async () => {
      await service.call(undoConfiguration, { revision: await revision(), reason: '' }, tokens)
    },
  }
}
