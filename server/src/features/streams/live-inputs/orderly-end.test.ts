import { hostname } from 'node:os'
import { expect, it, vi } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService } from '../../../../test/service.ts'
import { keeperSocketPath } from '../../../control/ownership.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { Keeper } from '../../../ingest/live/keeper.ts'
import { liveReceivers } from '../../inventory/line-up/line-up.table.ts'
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
