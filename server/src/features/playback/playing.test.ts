import { heartbeat, readAsset } from '@ondine/contract/playback'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../test/builders.ts'
import { DATABASES, startTestService, type TestService } from '../../../test/service.ts'
import { playing } from './playing.table.ts'
import { sweepPlaying } from './playing-jobs.ts'

describe.each(DATABASES)('the list of what plays, on a database of kind %s', (kind) => {
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

  it('A8.1-03 forgets what was not heard of for an hour, and counts it again when it comes back', async () => {
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
    // The first beat tells that it does not count, the next one has it counted.
    await expect
      .poll(async () => {
        await service.call(heartbeat, { session, event: 'progress', position: 4 }, asleep.tokens)
        return await accounts()
      })
      .toEqual([asleep.account.id, awake.account.id])
  })

  it('finds what plays on a device without looking at all that plays', async () => {
    const { db } = service.context
    const plan = await db.transaction(async (tx) => {
      // So small a table is read as a whole unless that is ruled out.
      await tx.execute(sql`set local enable_seqscan = off`)
      return JSON.stringify(await tx.execute(sql`explain delete from playing where device_id = 1`))
    })
    expect(plan).toMatch(/Index Cond: \(device_id = 1\)/)
  })
})
