import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listChannels } from '@ondine/contract/channels'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOPICS, type Topic } from '../src/database/changes.ts'
import { channels } from '../src/features/inventory/line-up/line-up.table.ts'
import { createTrackSetStore } from '../src/features/inventory/track-sets/track-sets.service.ts'
import { signInEndings } from '../src/features/people/sign-in/sign-in-endings.table.ts'
import { sweepSignInEndings } from '../src/features/people/sign-in/sign-in-jobs.ts'
import { rotateKeys } from '../src/features/settings/keys/rotate-keys.ts'
import { SESSION_SECONDS } from '../src/features/streams/play-sessions/play-sessions.service.ts'
import { programmes } from '../src/features/television/guide-import/guide.table.ts'
import { pruneGuide } from '../src/features/television/guide-import/guide-jobs.ts'
import { fetchGuidePictures } from '../src/features/television/guide-import/guide-pictures.ts'
import { extendSchedules } from '../src/features/television/schedule/extend-schedules.ts'
import { playing } from '../src/features/viewing/playback/playing.table.ts'
import { sweepPlaying } from '../src/features/viewing/playback/playing-jobs.ts'
import { buildersOf, buildTrackSet } from './builders.ts'
import { runCommand } from './commands.ts'
import { guideOf, show } from './guides.ts'
import { closeServer, listenLocally } from './local-server.ts'
import { DATABASES, NOON, startTestService, type TestService } from './service.ts'

const ITEMS = 60
/**
 * Maximum number of notices of one topic from work in slices, even on a slow machine. Work with a notice for each
 * item would send {@link ITEMS}.
 */
const MOST_NOTICES = 25
/** Number of logos, more than one slice stores. */
const LOGOS = 130
const DAY_MS = 86_400_000

const NUMBERS = Array.from({ length: ITEMS }, (_, index) => index)
/** Returns a small picture that is different for each path. */
async function pictureAt(path: string): Promise<Buffer> {
  const background = `#${path.slice(1)}`
  return await sharp({ create: { width: 16, height: 9, channels: 3, background } })
    .png()
    .toBuffer()
}

describe.each(DATABASES)('background work, on a database of kind %s', (kind) => {
  let service: TestService
  let folder: string
  let make: ReturnType<typeof buildersOf>
  let elsewhere: Server
  let origin: string
  const counts = new Map<Topic, number>()

  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      void pictureAt(request.url ?? '').then((picture) => response.end(picture))
    })
    origin = await listenLocally(elsewhere)
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    make = buildersOf(service.context)
    folder = await mkdtemp(join(tmpdir(), 'ondine-notices-'))
    for (const topic of TOPICS)
      service.context.connection.changes.on(topic, (ids) => {
        // Counts only notices without ids. A notice with ids invalidates just the rows with these ids.
        if (ids === null) counts.set(topic, (counts.get(topic) ?? 0) + 1)
      })
  })
  afterAll(async () => {
    await closeServer(elsewhere)
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const pictureOf = (number: number) => `${origin}/${String(number).padStart(6, '0')}`

  /** Returns the number of notices per topic that invalidate the whole topic. */
  async function noticesOf(work: () => Promise<unknown>): Promise<Partial<Record<Topic, number>>> {
    await service.context.connection.changes.settled()
    counts.clear()
    await work()
    await service.context.connection.changes.settled()
    return Object.fromEntries(counts)
  }

  async function importChannels(name: string, lines: string[]): Promise<void> {
    const path = join(folder, `${name}.m3u`)
    await writeFile(path, `#EXTM3U\n${lines.join('\n')}\n`)
    await runCommand(service, 'channels import', [path])
  }
  async function importGuide(): Promise<void> {
    const path = join(folder, 'guide.xml')
    const shows = NUMBERS.map((number) =>
      show(
        'guided',
        number / 4,
        (number + 1) / 4,
        `<title>P${number}</title><icon src="${pictureOf(number)}"/>`,
      ),
    )
    await writeFile(path, guideOf(shows.join('\n')))
    await runCommand(service, 'guide import', [path], { name: 'guide' })
  }
  const plan = async (now: number) => {
    const { db } = service.context
    await extendSchedules(db, createTrackSetStore(db), now, new AbortController().signal, 2 * 3600_000)
  }

  /** Kinds of work, each with many items. Later kinds need the results of earlier ones. */
  const WORK: Record<string, () => Promise<unknown>> = {
    'the import of a list with logos': async () => {
      const lines = Array.from(
        { length: LOGOS },
        (_, number) =>
          `#EXTINF:-1 tvg-logo="${pictureOf(number)}",Canal ${number}\nhttp://stream.example/${number}.m3u8`,
      )
      await importChannels('logos', lines)
      const listed = (await service.call(listChannels, {})).result
      expect(listed.filter(({ logoImage }) => logoImage !== null)).toHaveLength(LOGOS)
    },
    'the import of a guide': async () => {
      await importChannels('guided', ['#EXTINF:-1 tvg-id="guided",Guided\nhttp://stream.example/guided.m3u8'])
      await importGuide()
      expect(await service.context.db.$count(programmes)).toBe(ITEMS)
    },
    'fetching the pictures of a guide': async () => {
      const { fetched } = await fetchGuidePictures(service.context, new AbortController().signal)
      expect(fetched).toBe(ITEMS)
    },
    'forgetting the past of a guide': async () => {
      service.clock.set(NOON + 90 * DAY_MS)
      expect(await pruneGuide(service.context)).toBe(ITEMS)
      service.clock.set(NOON)
    },
    'sweeping the ends of sign-ins': async () => {
      const { db, clock } = service.context
      const endedAt = new Date(clock.now() - 365 * DAY_MS)
      await db
        .insert(signInEndings)
        .values(NUMBERS.map((number) => ({ accountId: 1, signIn: `${number}`, endedAt })))
      await sweepSignInEndings(service.context, SESSION_SECONDS)
      expect(await db.$count(signInEndings)).toBe(0)
    },
    'sweeping running sessions': async () => {
      const { account } = await make.actor()
      await service.context.db
        .insert(playing)
        .values(NUMBERS.map((number) => ({ id: `${number}`, accountId: account.id, seenAt: 0 })))
      expect(await sweepPlaying(service.context)).toBe(ITEMS)
    },
    'the rotation of keys': async () => await rotateKeys(service.context.db, service.clock.now()),
  }

  it.each(Object.entries(WORK))('sends few notices, however many items it has: %s', async (_name, work) => {
    for (const [topic, count] of Object.entries(await noticesOf(work)))
      expect([topic, count <= MOST_NOTICES, count]).toEqual([topic, true, count])
  })

  it('announces new programmes when channels are scheduled, but not the channels themselves', async () => {
    const { db } = service.context
    await make.asset('Hour', { trackSet: buildTrackSet({ seconds: 3600 }) })
    for (const number of NUMBERS) {
      const rules = { kind: 'sequence', titles: ['Hour'] }
      await make.channel(`Plan ${number}`, rules, { number: 1000 + number })
    }
    // Makes the first schedule, extends it by an hour, and makes a schedule after a gap.
    for (const now of [NOON, NOON + 3600_000, NOON + 3 * DAY_MS])
      expect(await noticesOf(async () => await plan(now))).toEqual({ guide: ITEMS })
    const change = db
      .update(channels)
      .set({ tags: ['new'] })
      .where(eq(channels.sourceKey, 'Plan 1'))
    expect(await noticesOf(async () => await change)).toEqual({ channels: 1 })
  })
})
