import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { indexCounts } from '../../../../test/index-counts.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { takeCopy, unpinCopied } from './recording-copies.repository.ts'

const CONNECTIONS = 2
const HOUR = 3_600_000
/** Numbers of recordings: in total, without a ready copy, and with a ready copy but still pinned media. */
const [ALL, UNREADY, PINNED] = [4000, 20, 20]

describe.each(DATABASES)('the jobs of copies, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { DATABASE_POOL_SIZE: CONNECTIONS })
    const { db } = service.context
    const make = buildersOf(service.context)
    const { account, profileId } = await make.actor()
    const { id: channelId } = await make.channel('Rive', { kind: 'sequence', titles: ['none'] })
    const ended = new Date(NOON - 24 * HOUR).toISOString()
    await db.execute(sql`
      insert into recorded_programmes (id, channel_id, universal_id, starts_at, ends_at, pinned_from, pinned_to,
        other_starts, titles, subtitles, descriptions, genres, morality_level, adult, settled_at, unpinned_at)
      select n, ${channelId}::int, 'show ' || n, ${ended}, ${ended}, ${ended}, ${ended},
        '{}', '{}', '{}', '{}', '{}', 0, false, ${ended}, case when n > ${UNREADY + PINNED} then now() end
      from generate_series(1, ${ALL}::int) n`)
    await db.execute(sql`
      insert into recording_copies (id, ready_at)
      select n, case when n > ${UNREADY} then ${ended}::timestamptz end from generate_series(1, ${ALL}::int) n`)
    await db.execute(sql`
      insert into recordings (account_id, profile_id, recorded_programme_id, package_ids, copy_id)
      select ${account.id}::int, ${profileId}::int, n, '{}', n from generate_series(1, ${ALL}::int) n`)
    await db.execute(sql`analyze recorded_programmes, recordings, recording_copies`)
  })
  afterAll(async () => await service.remove())

  it('find their rows by indexes, however many recordings are done', async () => {
    const { db } = service.context
    const lookups = async () => await indexCounts(db, kind === 'embedded' ? 1 : CONNECTIONS)
    const before = await lookups()
    expect(await takeCopy(db, 'holder', NOON, NOON + HOUR)).toMatchObject({ id: 1 })
    expect(await unpinCopied(db, NOON - 12 * HOUR, NOON, 500)).toBe(PINNED)
    const after = await lookups()
    for (const name of ['recording_copies_unready', 'recorded_programmes_pinned']) {
      expect(after.get(name)?.scans, name).toBeGreaterThan(before.get(name)?.scans ?? Infinity)
      const read = (after.get(name)?.entries ?? Infinity) - (before.get(name)?.entries ?? 0)
      expect(read, name).toBeLessThan(ALL / 10)
    }
  })
})
