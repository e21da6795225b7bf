import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { channelStream } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { freePort } from '../../../ingest/live/free-port.ts'
import { makeLoop } from '../../../ingest/live/loop.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { liveInputs } from '../../inventory/line-up/line-up.table.ts'
import { LiveInputs } from './live-inputs.service.ts'
import { loopInto } from './looped-input.service.ts'

/** Timeout and interval of polling for signals, which arrive in real time. */
const SIGNAL = { timeout: 60_000, interval: 200 }
const RULES = { kind: 'sequence', titles: ['nothing'] }

// One database is enough, because signals arrive in real time.
describe.each(MAIN_DB.slice(0, 1))(
  'inputs that receive a loop, on a database of kind %s',
  { timeout: 120_000 },
  (kind) => {
    let service: TestService
    let viewer: Actor
    let file: string
    let inputs: LiveInputs
    let ticking: NodeJS.Timeout
    const stopping = new AbortController()

    beforeAll(async () => {
      service = await startTestService(kind)
      service.clock.set(Date.now())
      viewer = await buildersOf(service.context).actor()
      const film = join(service.context.settings.DATA_DIR, 'film.mp4')
      file = join(service.context.settings.DATA_DIR, 'loop.mp4')
      await ffmpeg([...picture({ seconds: 12, rate: 24 }), ...tone(12), ...copyable, ...stereo, film])
      await makeLoop({ file: film, from: 0, to: 12 }, file, stopping.signal)
      // The clock of the service follows real time, because signals arrive in real time.
      ticking = setInterval(() => service.clock.set(Date.now()), 20)
      inputs = new LiveInputs(service.context)
      await inputs.start(stopping.signal)
    })
    afterAll(async () => {
      stopping.abort()
      await inputs.close()
      clearInterval(ticking)
      await service.remove()
    })

    async function liveChannel(number: number): Promise<number> {
      const fields = { kind: 'live' as const, free: true, number, rules: null }
      return (await buildersOf(service.context).channel(`Loop ${number}`, RULES, fields)).id
    }
    const start = (channelId: number) => loopInto(service.context, { channelId, file }, stopping.signal)
    const addressOf = async (channelId: number) =>
      (
        await service.context.db
          .select({ address: liveInputs.address })
          .from(liveInputs)
          .where(eq(liveInputs.channelId, channelId))
      )[0]?.address
    const onAir = async (idChannel: number) =>
      await vi.waitFor(async () => {
        const { status } = await service.call(channelStream, { idChannel, format: 'dash' }, viewer.tokens)
        expect(status).toBe(200)
      }, SIGNAL)

    it('are on the air, listen on this machine only, and continue on the port of an earlier start', async () => {
      const channelId = await liveChannel(70)
      const port = await freePort()
      const address = `srt://127.0.0.1:${port}?mode=listener`
      await service.context.db.insert(liveInputs).values({ channelId, address })
      const sending = start(channelId)
      await onAir(channelId)
      expect(await addressOf(channelId)).toBe(address)
      // The input reports its status each second.
      const isReported = /on the air .*[\s\S]* 0 jumps/
      await vi.waitFor(
        async () => expect(await runCommand(service, 'inputs status', ['70'])).toMatch(isReported),
        SIGNAL,
      )
      await runCommand(service, 'inputs remove', ['70'])
      // The loop ends, because the operator has removed its input.
      await sending
      expect(await addressOf(channelId)).toBeUndefined()
    })

    it('take another port when a program has theirs', async () => {
      const channelId = await liveChannel(71)
      const other = await occupied()
      try {
        const taken = `srt://127.0.0.1:${other.address().port}?mode=listener`
        await service.context.db.insert(liveInputs).values({ channelId, address: taken })
        const sending = start(channelId)
        await vi.waitFor(async () => expect(await addressOf(channelId)).not.toBe(taken), SIGNAL)
        await onAir(channelId)
        await runCommand(service, 'inputs remove', ['71'])
        await sending
      } finally {
        other.close()
      }
    })

    it('do not touch the input that an operator has given the channel', async () => {
      const channelId = await liveChannel(72)
      const address = `udp://127.0.0.1:${await freePort()}`
      await runCommand(service, 'inputs add', ['72', address])
      await start(channelId)
      expect(await addressOf(channelId)).toBe(address)
    })
  },
)

async function occupied(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
