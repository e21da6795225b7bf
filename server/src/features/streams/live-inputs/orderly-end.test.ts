import { hostname } from 'node:os'
import { join } from 'node:path'
import { segmentTimes } from '@ondine/media/segment-times'
import { clockRendition } from '@ondine/media/track-set-check'
import { asc, eq, sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { DATABASES, MAIN_DB, startTestService } from '../../../../test/service.ts'
import { keeperSocketPath } from '../../../control/ownership.ts'
import { LIVE_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { Keeper } from '../../../ingest/live/keeper.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { liveReceivers, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { LiveInputs } from './live-inputs.service.ts'

/** Timeout of polling, long enough for a busy machine. */
const PATIENCE = { timeout: 30_000 }

it.each(MAIN_DB)(
  'a process that ends closes its inputs while HTTP still answers, on %s',
  async (kind) => {
    const service = await startTestService(kind)
    const answering = Promise.withResolvers<void>()
    service.app.addHook('onClose', async () => await answering.promise)
    const address = `rtmp://:${await freePort()}/live/key-of-the-studio`
    await runCommand(service, 'inputs add', ['20', address], { name: 'Direct' })
    service.start()
    const received = async () => (await service.context.db.select().from(liveReceivers)).length
    await vi.waitFor(async () => expect(await received()).toBe(1), PATIENCE)
    const ended = service.remove()
    await vi.waitFor(async () => expect(await received()).toBe(0), PATIENCE)
    answering.resolve()
    await ended
  },
  90_000,
)

it('`inputs release` ends what is kept for the next process', async () => {
  const service = await startTestService(MAIN_DB.at(-1), { OUTBOUND_ALLOW: ['127.0.0.1'] })
  const keeper = new Keeper(keeperSocketPath(service.context.settings.DATA_DIR))
  expect(await runCommand(service, 'inputs release')).toContain(
    `Nothing is kept on the machine ${hostname()}.`,
  )
  await runCommand(service, 'inputs add', ['20', `udp://127.0.0.1:${await freePort()}`], { name: 'Direct' })
  const inputs = new LiveInputs(service.context)
  await inputs.start(new AbortController().signal)
  await vi.waitFor(async () => expect(await keeper.programs()).toBe(1), PATIENCE)
  await inputs.close()
  expect(await keeper.programs()).toBe(1)
  expect(await runCommand(service, 'inputs release')).toContain('Nothing is kept any more.')
  await vi.waitFor(async () => expect(await keeper.programs()).toBeUndefined(), PATIENCE)
  await service.remove()
}, 90_000)

it.each(DATABASES.filter((kind) => kind === 'postgresql'))(
  'a database that hangs ends no ffmpeg: its media is stored afterwards, without a gap, on %s',
  async (kind) => {
    const service = await startTestService(kind)
    const { context, clock } = service
    // The clock of the service follows real time, because the input does.
    clock.set(Date.now())
    const ticking = setInterval(() => clock.set(Date.now()), 20)
    const path = join(context.settings.DATA_DIR, 'source.ts')
    await ffmpeg([...picture({ seconds: 60 }), ...tone(60), ...copyable, ...stereo, path])
    await runCommand(service, 'inputs add', ['20', path], { name: 'Direct' })
    const inputs = new LiveInputs(context)
    await inputs.start(new AbortController().signal)
    const stored = async () =>
      await context.db
        .select({ set: liveSets, document: trackSets.document })
        .from(liveSets)
        .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
        .orderBy(asc(liveSets.position))
    await vi.waitFor(async () => expect(await stored()).toHaveLength(1), PATIENCE)
    const warned = vi.spyOn(context.log, 'warn')
    await context.db.transaction(async (tx) => {
      await tx.execute(sql`lock table live_receivers, track_sets`)
      await vi.waitFor(
        () => expect(warned).toHaveBeenCalledWith(expect.stringContaining('live inputs are stopped')),
        PATIENCE,
      )
    })
    const sets = await vi.waitFor(async () => {
      const rows = await stored()
      expect(rows).toHaveLength(2)
      return rows
    }, PATIENCE)
    const [before, after] = sets.map(({ set, document }) => {
      const times = segmentTimes(clockRendition(document))
      return { ...set, from: times.startTicks(0) / times.timescale, to: times.endTicks / times.timescale }
    })
    // The media goes on where it was stored last, so ffmpeg did not begin the file again.
    expect(after?.from).toBeCloseTo(before?.to ?? 0, 2)
    expect((after?.startsAt ?? 0) - (before?.endsAt ?? 0)).toBeLessThan(LIVE_SEGMENT_SECONDS * 1000)
    await inputs.close()
    clearInterval(ticking)
    await service.remove()
  },
  90_000,
)
