import { hierarchy } from '@ondine/contract/catalogue'
import { listCountries } from '@ondine/contract/countries'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { assetCategories, categories } from '../../inventory/titles/titles.table.ts'

/** Time for which the tests block reads of the catalogue, in seconds. It exceeds the time of a quick read. */
const HELD_SECONDS = 0.2

describe.each(MAIN_DB)('the catalogue in memory, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    // With this setting, answers about a large catalogue may be slightly outdated. In other tests, answers are
    // always up to date.
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 1 })
    const { db } = service.context
    const [films] = await db
      .insert(categories)
      .values({ kind: 'category', sourceKey: 'films', names: { fra: 'Films' } })
      .returning()
    const { id } = await buildersOf(service.context).asset('La Houle')
    await db.insert(assetCategories).values({ categoryId: films?.id ?? 0, assetId: id })
    await service.context.connection.changes.settled()
  })
  afterAll(async () => await service.remove())

  async function rename(name: string): Promise<void> {
    await service.context.db.update(categories).set({ names: { fra: name } })
    await service.context.connection.changes.settled()
  }
  const shown = async () => (await service.call(hierarchy, {})).result.map(({ name }) => name)

  /** Blocks reads of the catalogue while `act` runs, and for a moment afterwards. */
  async function whileHeld(act: () => Promise<void>): Promise<void> {
    await service.context.db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${categories} in access exclusive mode`)
      await act()
      await tx.execute(sql`select pg_sleep(${HELD_SECONDS})`)
    })
  }

  it('shows a change to every caller while the catalogue is read again; a small catalogue stays exact however long reading takes', async () => {
    expect(await shown()).toEqual(['Films'])
    await rename('Longs métrages')
    const answers: Promise<string[]>[] = []
    await whileHeld(async () => {
      for (let count = 0; count < 3; count++) {
        answers.push(shown())
        // This call needs no database. When it is answered, a call of `shown` that did not wait for the read of the
        // catalogue would already be answered too.
        await service.call(listCountries, {})
      }
    })
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 3 }, () => ['Longs métrages']))
    await rename('Au cinéma')
    expect(await shown()).toEqual(['Au cinéma'])
  })
})
