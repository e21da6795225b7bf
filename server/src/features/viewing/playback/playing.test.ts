import { heartbeat, readAsset } from '@ondine/contract/playback'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { playing } from './playing.table.ts'
import { sweepPlaying } from './playing-jobs.ts'

describe.each(MAIN_DB)('running sessions, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
  })
  afterAll(async () => await service.remove())

  const accounts = async () => {
    const rows = await service.context.db.select().from(playing).orderBy(playing.accountId)
    return rows.map(({ accountId }) => accountId)
  }

  it('A8.1-03 deletes sessions silent for an hour, and counts them again when they return', async () => {
    const { id: idAsset } = await make.asset('La Houle')
    const film = { idAsset, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const [asleep, awake] = [await make.actor(), await make.actor()]
    const { session } = (await service.call(readAsset, film, asleep.tokens)).result
    service.clock.advance(1800_000)
    await service.call(readAsset, film, awake.tokens)
    expect(await sweepPlaying(service.context)).toBe(0)
    service.clock.advance(1800_000)
    expect(await sweepPlaying(service.context)).toBe(1)
    expect(await accounts()).toEqual([awake.account.id])
    // The first heartbeat finds that the session does not count. The next heartbeat counts it again.
    await expect
      .poll(async () => {
        await service.call(heartbeat, { session, event: 'progress', position: 4 }, asleep.tokens)
        return await accounts()
      })
      .toEqual([asleep.account.id, awake.account.id])
  })

  it('finds the sessions of a device without reading all sessions', async () => {
    const { db } = service.context
    const plan = await db.transaction(async (tx) => {
      // The planner would scan a small table, so sequential scans are switched off.
      await tx.execute(sql`set local enable_seqscan = off`)
      return JSON.stringify(await tx.execute(sql`explain delete from playing where device_id = 1`))
    })
    expect(plan).toMatch(/Index Cond: \(device_id = 1\)/)
  })
})
