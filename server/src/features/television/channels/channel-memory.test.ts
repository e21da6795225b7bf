import { homeContent, type Rail } from '@ondine/contract/catalogue'
import { listCountries } from '@ondine/contract/countries'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { programmes } from '../guide-import/guide.table.ts'

const HOUR_MS = 3600_000
const VISITORS = 10

describe.each(MAIN_DB)('what is on air, cached, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind)
    const make = buildersOf(service.context)
    const channel = await make.channel('Un', { kind: 'sequence', titles: ['nothing'] }, { free: true })
    await service.context.db.insert(programmes).values(
      ['Matin', 'Midi', 'Soir'].map((title, index) => ({
        channelId: channel.id,
        universalId: title,
        startsAt: NOON + index * HOUR_MS,
        endsAt: NOON + (index + 1) * HOUR_MS,
        titles: { fra: title },
      })),
    )
    await service.context.connection.changes.settled()
  })
  afterAll(async () => await service.remove())

  /**
   * Requests the home page for `visitors` viewers who are not signed in, each a moment after the previous one.
   * Returns the titles of the programmes on air in these pages, and the number of database reads.
   */
  async function askedFor(visitors: number): Promise<{ titles: string[]; reads: number }> {
    const select = vi.spyOn(service.context.db, 'select')
    const pages: Promise<Rail[]>[] = []
    await service.context.db.transaction(async (tx) => {
      // Block reads of the programmes until all these viewers have sent their requests.
      await tx.execute(sql`lock table ${programmes} in access exclusive mode`)
      for (let count = 0; count < visitors; count++) {
        pages.push(service.call(homeContent, {}).then(({ result }) => result))
        // The response to this call shows that the visitor's request, which was sent before, has started its
        // query.
        await service.call(listCountries, {})
        service.clock.advance(1)
      }
    })
    const titles = (await Promise.all(pages)).map((rails) =>
      rails
        .flatMap(({ items }) => items)
        .flatMap((item) => (item.type === 'channel' ? (item.programme?.title ?? 'nothing') : []))
        .join(),
    )
    const reads = select.mock.calls.length
    select.mockRestore()
    return { titles, reads }
  }

  it('is queried once when a programme ends, however many callers wait for it', async () => {
    // The first page also fills other caches, so its reads are not counted.
    await askedFor(1)
    service.clock.set(NOON + HOUR_MS)
    const one = await askedFor(1)
    expect(one.titles).toEqual(['Midi'])
    expect(one.reads).toBeGreaterThan(0)
    service.clock.set(NOON + 2 * HOUR_MS)
    const many = await askedFor(VISITORS)
    expect(many.titles).toEqual(Array.from({ length: VISITORS }, () => 'Soir'))
    expect(many.reads).toBe(one.reads)
  })
})
