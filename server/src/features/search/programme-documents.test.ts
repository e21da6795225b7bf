import { inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../test/builders.ts'
import { indexCounts } from '../../../test/index-counts.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../test/service.ts'
import { rowsOf } from '../../database/rows.ts'
import { programmes } from '../guide/guide.table.ts'

/** Of a PostgreSQL; the embedded database is one. */
const CONNECTIONS = 3
const MINUTE = 60_000
const TITLES = 5000
/** Documents of programmes are looked up here. */
const BY_NAME = 'search_documents_kind_target_id_programme_key_language_index'

describe.each(DATABASES)('documents of what channels announce, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
  })
  afterAll(async () => await service.remove())

  const lookups = async () =>
    (await indexCounts(service.context.db, kind === 'embedded' ? 1 : CONNECTIONS)).get(BY_NAME)
  const documents = async () =>
    await rowsOf<{ folded: string; language: string }>(
      service.context.db,
      sql`select folded, language from search_documents where kind = 'programme' order by folded, language`,
    )

  // A guide changes title by title, every night and for every channel anew; nobody counts what was just imported.
  it('are looked up by name when titles change, however many there are', async () => {
    const { db } = service.context
    const channel = await buildersOf(service.context).channel('Announcing', {
      kind: 'sequence',
      titles: ['nothing'],
    })
    const rows = await db
      .insert(programmes)
      .values(
        Array.from({ length: TITLES }, (_, index) => ({
          channelId: channel.id,
          startsAt: NOON + index * MINUTE,
          endsAt: NOON + (index + 1) * MINUTE,
          titles: { fra: `Titre ${String(index).padStart(4, '0')}` },
          universalId: `announced ${index}`,
        })),
      )
      .returning({ id: programmes.id })
    const ids = rows.map(({ id }) => id)
    expect(await documents()).toHaveLength(2 * TITLES)

    const before = await lookups()
    await db
      .update(programmes)
      .set({ titles: { fra: 'Autre' } })
      .where(inArray(programmes.id, ids.slice(0, 10)))
    await db.delete(programmes).where(inArray(programmes.id, ids.slice(10, 20)))
    const after = await lookups()
    // Ten titles that went twice, and the new one, in two languages each; some are looked up more than once.
    expect((after?.entries ?? Infinity) - (before?.entries ?? 0)).toBeLessThan(200)

    const left = await documents()
    expect(left).toHaveLength(2 * (TITLES - 20 + 1))
    expect(left.slice(0, 4)).toEqual([
      { folded: 'autre', language: 'eng' },
      { folded: 'autre', language: 'fra' },
      { folded: 'titre 0020', language: 'eng' },
      { folded: 'titre 0020', language: 'fra' },
    ])
  })
})
