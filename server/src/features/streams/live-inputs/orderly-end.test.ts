import { expect, it, vi } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { DATABASES, startTestService } from '../../../../test/service.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { liveReceivers } from '../../inventory/line-up/line-up.table.ts'

/** For what a busy machine does in its own time. */
const PATIENCE = { timeout: 30_000 }

it.each(DATABASES)('a process that ends closes its inputs while HTTP still answers, on %s', async (kind) => {
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
}, 90_000)
