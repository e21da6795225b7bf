import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { keeperSocketPath } from '../../control/ownership.ts'
import { commandLine } from '../command-line.ts'
import { ProgramError } from '../run-program.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../test-media.ts'
import type { Cut } from './cutter.ts'
import { type CutArrival, Feed } from './feed.ts'
import { FragmentReader } from './fragments.ts'
import { type Arrival, Keeper, type KeptInput, TakenOverError } from './keeper.ts'
import { FrameReader, writeFrame } from './keeper-frames.ts'
import { serveKeptPrograms } from './keeper-server.ts'
import { KeptProgram, type OutputPiece, type PieceReader, type ProgramResult } from './kept-program.ts'
import { sourceArguments } from './live-source.ts'
import { LiveSourceError } from './source-error.ts'
import type { Sources } from './source-request.ts'
import { addStreams, teletextDescriptor, teletextPage } from './test-transport-stream.ts'

/** Script that starts the service and its commands. */
const ONDINE = fileURLToPath(new URL('../../../../script/ondine', import.meta.url))
/** Long enough for a busy machine. */
const PATIENCE = { timeout: 60_000 }
// A test starts several processes, one after the other.
vi.setConfig({ testTimeout: 180_000 })

/** Sources of a keeper whose programs open their sources themselves. */
const noSource = async (): Promise<never> => await Promise.reject(new LiveSourceError('there is no source'))
const NO_SOURCES: Sources = {
  open: noSource,
  has: () => false,
  release: () => undefined,
}

let folder: string
let words: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-keeper-'))
  const source = join(folder, 'source.ts')
  await ffmpeg([...picture({ seconds: 20 }), ...tone(20), ...copyable, ...stereo, source])
  words = sourceArguments({ kind: 'file', path: source })
})
afterAll(async () => {
  for (const name of await readdir(folder))
    if (name.endsWith('.sock')) await new Keeper(join(folder, name)).end()
  await rm(folder, { recursive: true, force: true })
})

/** Reads a kept program. */
class Reading {
  readonly kept: KeptInput
  readonly stopping = new AbortController()
  readonly done: Promise<unknown>
  /** Decode times of the video frames, in order. */
  readonly times: number[] = []
  readonly arrivals: Arrival[] = []
  hasHeader = false
  messages = ''

  constructor(keeper: Keeper, name = 'input', program = words, probeSeconds?: number) {
    const reader = new FragmentReader()
    const onOutput = (chunk: Buffer, arrival: Arrival): void => {
      this.arrivals.push(arrival)
      for (const part of reader.push(chunk)) {
        if (part.kind === 'header') this.hasHeader = true
        else if (part.trackId === 1) this.times.push(...part.samples.map(({ decodeTime }) => decodeTime))
      }
    }
    this.kept = keeper.input(name)
    this.done = this.kept
      .run({
        start: { arguments: program, probeSeconds },
        signal: this.stopping.signal,
        onOutput,
        onMessages: (text) => {
          this.messages += text
        },
        sideOutputs: [],
      })
      .catch((error: unknown) => error)
  }

  async stop(): Promise<void> {
    this.stopping.abort(new Error('the test stops it'))
    expect(await this.done).toBe(this.stopping.signal.reason)
  }
}

/** Receives a file as a live input, and cuts it into segments. */
class Receiving {
  readonly kept: KeptInput
  readonly feed: Feed
  readonly cuts: Cut[] = []
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>

  /** @param onArrival called for each segment */
  constructor(
    keeper: Keeper,
    name: string,
    path: string,
    onArrival: (arrival: CutArrival) => void = () => undefined,
    ladder: readonly number[] | null = null,
  ) {
    const source = { kind: 'file', path } as const
    this.kept = keeper.input(name)
    this.feed = new Feed({
      source,
      ladder,
      open: async () => ({ source }),
      kept: this.kept,
      onCut: (cut, arrival) => {
        this.cuts.push(cut)
        onArrival(arrival)
      },
      onFault: (error) => {
        throw error
      },
      onTeletextFault: (error) => {
        throw error
      },
      now: () => Date.now(),
      signal: this.#stopping.signal,
    })
    this.#running = this.feed.run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the test is over'))
    await this.#running
  }
}

it('gives the next reader all that the one before it has not released, without a hole', async () => {
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const first = new Reading(keeper)
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(30)
  const released = first.times.length
  first.arrivals.at(-1)?.release()
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(released + 30)
  // A second keeper client stands in for the next process after a kill.
  const second = new Reading(new Keeper(join(folder, 'keeper.sock')))
  expect(await first.done).toBeInstanceOf(TakenOverError)
  await expect.poll(() => second.times.at(-1) ?? 0, PATIENCE).toBeGreaterThan(first.times.at(-1) ?? 0)
  // Stopping a reader that has lost the input must not end the second reader's program.
  first.stopping.abort(new Error('the test stops it'))
  await second.stop()
  expect(second.messages).toContain('Stream #0:0')
  expect(second.hasHeader).toBe(true)
  const all = [...first.times.slice(0, released), ...second.times]
  expect(new Set(all.slice(1).map((time, index) => time - (all[index] ?? 0)))).toEqual(new Set([3600]))
  expect(second.arrivals[1]?.ageMs).toBeGreaterThan(0)
})

it('lets the program go on when its reader leaves, and takes what was released afterwards', async () => {
  const leaving = new Keeper(join(folder, 'keeper.sock'))
  const first = new Reading(leaving)
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(30)
  first.kept.leave()
  await first.stop()
  const left = first.times.length
  first.arrivals.at(-1)?.release()
  await leaving.settled()
  const second = new Reading(new Keeper(join(folder, 'keeper.sock')))
  await expect.poll(() => second.times.length, PATIENCE).toBeGreaterThan(30)
  await second.stop()
  expect(second.times[0]).toBe((first.times[left - 1] ?? 0) + 3600)
})

it('continues with a program that has read its source for longer, which the next reader does not know', async () => {
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const first = new Reading(keeper, 'input', words, 12)
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(60)
  first.arrivals.at(-1)?.release()
  await keeper.settled()
  const next = new Reading(keeper)
  expect(await first.done).toBeInstanceOf(TakenOverError)
  await expect.poll(() => next.times.length, PATIENCE).toBeGreaterThan(0)
  expect(next.times[0]).toBeGreaterThan(first.times[60] ?? Infinity)
  await next.stop()
})

it('starts the program again for other arguments, and ends it for the reader that stops', async () => {
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const first = new Reading(keeper)
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(30)
  const other = new Reading(keeper, 'input', [...words, '-y'])
  expect(await first.done).toBeInstanceOf(TakenOverError)
  await expect.poll(() => other.times.length, PATIENCE).toBeGreaterThan(0)
  expect(other.times[0]).toBe(first.times[0])
  await other.stop()
  const again = new Reading(keeper)
  await expect.poll(() => again.times.length, PATIENCE).toBeGreaterThan(0)
  expect(again.times[0]).toBe(first.times[0])
  await again.stop()
})

it('logs why it cannot start, and is started again only after a pause', async () => {
  const inside = join(folder, 'blocked')
  const path = join(inside, 'keeper.sock')
  // A non-empty folder at the socket's path, which no keeper can remove.
  await mkdir(join(path, 'full'), { recursive: true })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const keeper = new Keeper(path)
  const error = (await new Reading(keeper).done) as Error
  expect(error).toBeInstanceOf(LiveSourceError)
  expect(error.message).toContain(`${inside}/keeper.log says why`)
  const log = await readFile(keeper.log, 'utf8')
  expect(log.match(/ begins$/gm)).toHaveLength(1)
  expect(log).toContain('EISDIR')
  await writeFile(keeper.log, 'x'.repeat(300_000))
  vi.advanceTimersByTime(2000)
  await new Reading(keeper).done
  const anew = await readFile(keeper.log, 'utf8')
  expect(anew).toMatch(/^\S+ keeper \d+ of .* begins$/m)
  expect(anew).not.toContain('xxx')
})

it('empties a log that has grown too large while it runs', async () => {
  const keeper = new Keeper(join(folder, 'long.sock'))
  const reading = new Reading(keeper)
  await expect.poll(() => reading.times.length, PATIENCE).toBeGreaterThan(0)
  await appendFile(keeper.log, 'x'.repeat(300_000))
  expect(await keeper.end()).toBe(true)
  await reading.done
  const log = async () => await readFile(keeper.log, 'utf8')
  await expect.poll(log, PATIENCE).toMatch(/^\S+ keeper \d+ of .* ends: /)
})

it('ends all programs, and itself, when it is told to', async () => {
  const path = join(folder, 'told.sock')
  const keeper = new Keeper(path)
  expect([await keeper.programs(), await keeper.end()]).toEqual([undefined, false])
  const readings = ['one', 'two'].map((name) => new Reading(keeper, name))
  for (const { times } of readings) await expect.poll(() => times.length, PATIENCE).toBeGreaterThan(0)
  expect(await keeper.programs()).toBe(2)
  // As an operator's command in another process does.
  expect(await new Keeper(path).end()).toBe(true)
  for (const { done } of readings) expect(await done).toBeInstanceOf(ProgramError)
  await vi.waitFor(async () => expect(await keeper.programs()).toBeUndefined(), PATIENCE)
})

it('gives no reader the output of arguments that another one asked for at the same time', async () => {
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const first = new Reading(keeper, 'contended')
  await expect.poll(() => first.times.length, PATIENCE).toBeGreaterThan(30)
  const errors = ['one.ts', 'two.ts'].map(async (name) => {
    const missing = commandLine`-nostdin -v error -i ${join(folder, name)} -f mp4 pipe:1`
    const error = await new Reading(keeper, 'contended', missing).done
    return error instanceof ProgramError ? error.tail : (error as Error).name
  })
  const [one, two] = await Promise.all(errors)
  expect([one, two]).toContain('TakenOverError')
  expect(one).toMatch(/one\.ts|TakenOverError/)
  expect(two).toMatch(/two\.ts|TakenOverError/)
})

it('begins no program once it ends, because the next process would not find it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const path = join(folder, 'ending.sock')
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const onIdle = vi.fn<() => void>()
  serveKeptPrograms(server, NO_SOURCES, onIdle)
  vi.advanceTimersByTime(5000)
  expect(onIdle).toHaveBeenCalledOnce()
  const call = request({ socketPath: path, method: 'POST', path: '/input/reader', agent: false })
  call.end(JSON.stringify({ arguments: words }))
  expect(await once(call, 'error')).toEqual([expect.objectContaining({ code: 'ECONNRESET' })])
})

it('tells how a program failed', async () => {
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const wrong = commandLine`-nostdin -v error -i ${join(folder, 'none.ts')} -f mp4 pipe:1`
  const reading = new Reading(keeper, 'wrong', wrong)
  const error = await reading.done
  expect(error).toBeInstanceOf(ProgramError)
  expect((error as ProgramError).tail).toContain('No such file')
})

it('gives up on a keeper that hangs, and does not wait for it to end a program', async () => {
  const path = join(folder, 'hung.sock')
  const hung = createServer((call, answer) => {
    if (call.method === 'POST') answer.flushHeaders()
  }).listen(path)
  onTestFinished(() => void hung.close())
  await once(hung, 'listening')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const keeper = new Keeper(path)
  const asked = once(hung, 'request')
  const messages = keeper
    .input('input')
    .messages()
    .catch((error: unknown) => error)
  await asked
  await vi.advanceTimersByTimeAsync(5000)
  expect(await messages).toBeInstanceOf(LiveSourceError)
  const begun = once(hung, 'request')
  const reading = new Reading(keeper)
  await begun
  const told = once(hung, 'request')
  const stopped = reading.stop()
  await told
  await vi.advanceTimersByTimeAsync(5000)
  await stopped
})

it('starts no keeper in place of a service that does not run', async () => {
  const path = join(folder, 'absent.sock')
  const keeper = new Keeper(path, { isService: true })
  expect(await new Reading(keeper).done).toBeInstanceOf(LiveSourceError)
  // Starts a keeper, as a restart of the service does. The first reader then uses this keeper.
  const other = new Reading(new Keeper(path))
  await expect.poll(() => other.times.length, PATIENCE).toBeGreaterThan(0)
  const again = new Reading(keeper)
  await expect.poll(() => again.times.length, PATIENCE).toBeGreaterThan(0)
  await again.stop()
})

it('reads frames in chunks of any size', () => {
  const frames = [
    { kind: 'piece', descriptor: 1, number: 1, ageMs: 70, bytes: Buffer.from('first') },
    { kind: 'piece', descriptor: 4, number: 2, ageMs: 0, bytes: Buffer.alloc(0) },
    { kind: 'end', result: { end: 'exit', tail: 'é' } },
  ] as const
  const written = Buffer.concat(frames.map(writeFrame))
  for (const size of [1, 5, 13, written.length]) {
    const reader = new FrameReader()
    const read = []
    for (let at = 0; at < written.length; at += size)
      read.push(...reader.push(written.subarray(at, at + size)))
    expect(read).toEqual(frames)
  }
})

it('keeps inputs in a service of its own, of which a machine has one', async () => {
  const start = (): ChildProcess =>
    spawn(ONDINE, ['keep'], { env: { ...process.env, DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] })
  const service = start()
  await vi.waitFor(async () => expect((await stat(keeperSocketPath(folder))).isSocket()).toBe(true), PATIENCE)
  const second = start()
  expect(await once(second, 'exit')).toEqual([1, null])
  const reading = new Reading(new Keeper(keeperSocketPath(folder)))
  await expect.poll(() => reading.times.length, PATIENCE).toBeGreaterThan(0)
  service.kill('SIGTERM')
  expect(await once(service, 'exit')).toEqual([0, null])
  // The service must end the program itself, because on some systems the program would outlive the service.
  expect(await reading.done).toMatchObject({ name: 'ProgramError', tail: 'the program is stopped' })
})

it('gives no media again that is stored, if a segment has several key frames', async () => {
  const path = join(folder, 'frequent.ts')
  await ffmpeg([...picture({ seconds: 30 }), ...tone(30), ...copyable, '-g', '10', ...stereo, path])
  const leaving = new Keeper(join(folder, 'keeper.sock'))
  const first = new Receiving(leaving, 'frequent', path, ({ release }) => release())
  await vi.waitFor(() => expect(first.cuts.length).toBeGreaterThan(1), PATIENCE)
  first.kept.leave()
  await first.stop()
  await leaving.settled()
  const second = new Receiving(new Keeper(join(folder, 'keeper.sock')), 'frequent', path)
  await vi.waitFor(() => expect(second.cuts.length).toBeGreaterThan(0), PATIENCE)
  await second.stop()
  const { startTicks, durationTicks } = first.cuts.at(-1)?.tracks[0] ?? { startTicks: 0, durationTicks: 0 }
  expect(second.cuts[0]?.tracks[0]?.startTicks).toBe(startTicks + durationTicks)
}, 120_000)

it('ends a program after 20 s without a reader, and counts anew when one has come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const program = new KeptProgram({ arguments: words }, noSource)
  const read = (): { reader: PieceReader; pieces: OutputPiece[]; ends: ProgramResult[] } => {
    const pieces: OutputPiece[] = []
    const ends: ProgramResult[] = []
    const reader = {
      id: 'reader',
      take: (piece: OutputPiece) => void pieces.push(piece),
      end: (result: ProgramResult) => void ends.push(result),
    }
    program.attach(reader)
    return { reader, pieces, ends }
  }
  program.detach(read().reader)
  vi.advanceTimersByTime(15_000)
  program.detach(read().reader)
  vi.advanceTimersByTime(15_000)
  const third = read()
  const before = third.pieces.length
  await expect.poll(() => third.pieces.length, PATIENCE).toBeGreaterThan(before + 2)
  expect(third.ends).toEqual([])
  program.detach(third.reader)
  vi.advanceTimersByTime(20_000)
  await program.ended
})

// Without B frames, the encoded rendition is ahead of the copied one in the order of the output.
it('issue 19: goes on with a ladder below a picture without B frames', async () => {
  const path = join(folder, 'ladder.ts')
  const encoding = commandLine`-c:v libx264 -preset ultrafast -bf 0 -pix_fmt yuv420p -g 20 -sc_threshold 0`
  await ffmpeg([...picture({ size: '480x480', rate: 10, seconds: 30 }), ...encoding, path])
  const leaving = new Keeper(join(folder, 'keeper.sock'))
  const first = new Receiving(leaving, 'ladder', path, ({ release }) => release(), [720, 360])
  await vi.waitFor(() => expect(first.cuts.length).toBeGreaterThan(1), PATIENCE)
  first.kept.leave()
  await first.stop()
  await leaving.settled()
  const next = new Keeper(join(folder, 'keeper.sock'))
  const second = new Receiving(next, 'ladder', path, undefined, [720, 360])
  await vi.waitFor(() => expect(second.cuts.length).toBeGreaterThan(1), PATIENCE)
  await second.stop()
  expect(second.feed.state.restarts).toBe(0)
  const cuts = [...first.cuts, ...second.cuts]
  const heights = cuts.map(({ tracks }) => tracks.map(({ format }) => format.height))
  expect(heights).toEqual(cuts.map(() => [480, 360]))
  const starts = cuts.map(({ tracks: [top] }) => top?.startTicks ?? 0)
  const steps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0))
  expect(new Set(steps)).toEqual(new Set([180_000]))
}, 120_000)

it('goes on encoding for another process, with the same subtitles and without a new start', async () => {
  const path = join(folder, 'broadcast.ts')
  await ffmpeg([
    ...picture({ size: '320x256', seconds: 30 }),
    ...tone(30),
    ...commandLine`-c:v mpeg2video -b:v 2M -g 12 -c:a mp2 -f mpegts ${path}`,
  ])
  await addStreams(path, [
    {
      pid: 0x110,
      type: 6,
      descriptors: teletextDescriptor('fre'),
      units: [{ atSeconds: 1, isSection: false, payload: () => teletextPage(['Bonjour']) }],
    },
  ])
  const keeper = new Keeper(join(folder, 'keeper.sock'))
  const first = new Receiving(keeper, 'broadcast', path)
  await vi.waitFor(() => expect(first.cuts.length).toBeGreaterThan(1), PATIENCE)
  const second = new Receiving(keeper, 'broadcast', path)
  const shown = () =>
    second.cuts.flatMap(({ texts }) => texts.flatMap(({ cues }) => cues.map(({ text }) => text)))
  await vi.waitFor(() => expect(shown()).toContain('Bonjour'), PATIENCE)
  await vi.waitFor(() => expect(second.cuts.length).toBeGreaterThan(2), PATIENCE)
  for (const each of [first, second]) await each.stop()
  expect(second.feed.state).toMatchObject({ restarts: 0, encoded: ['video', 'audio'] })
  // Compares the media only: the teletext decoder restarts, so the first segment may lack subtitles.
  const media = (cuts: Cut[]) => cuts.slice(0, 2).map(({ tracks }) => tracks)
  expect(media(second.cuts)).toEqual(media(first.cuts))
}, 120_000)
