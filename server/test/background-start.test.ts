import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { rowsOf } from '../src/database/rows.ts'
import { liveReceivers } from '../src/features/inventory/line-up/line-up.table.ts'
import { freePort } from '../src/ingest/live/free-port.ts'
import { runCommand } from './commands.ts'
import { DATABASES, startTestService } from './service.ts'

/** Long enough for the pauses between starts on a busy machine. */
const PATIENCE = { timeout: 40_000 }

describe.each(DATABASES)('background work whose start fails, on %s', (kind) => {
  it('starts once the database can be written to again', async () => {
    const service = await startTestService(kind)
    const { db, log } = service.context
    await runCommand(service, 'inputs add', ['20', `udp://127.0.0.1:${await freePort()}`], { name: 'Direct' })
    const said = vi.spyOn(log, 'error')
    await db.execute(sql`alter table jobs.schedule rename to schedule_away`)
    await db.execute(sql`alter table live_inputs rename to live_inputs_away`)
    service.start()
    for (const part of ['renewals', 'orders', 'library', 'guides', 'live inputs'])
      await vi.waitFor(
        () =>
          expect(said).toHaveBeenCalledWith(
            expect.objectContaining({ part }),
            'a part of the background work could not start; it is tried again',
          ),
        PATIENCE,
      )
    await db.execute(sql`alter table jobs.schedule_away rename to schedule`)
    await db.execute(sql`alter table live_inputs_away rename to live_inputs`)
    const scheduled = async () =>
      (await rowsOf<{ name: string }>(db, sql`select name from jobs.schedule`)).map(({ name }) => name)
    await expect
      .poll(scheduled, PATIENCE)
      .toEqual(
        expect.arrayContaining([
          'subscriptions-renew',
          'subscriptions-remind',
          'orders-reconcile',
          'receipts-send',
          'library-look-after',
          'guide-prune',
          'recordings-tend',
        ]),
      )
    await expect.poll(async () => await db.select().from(liveReceivers), PATIENCE).toHaveLength(1)
    await service.remove()
  })
})
