import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SettableClock } from '../src/clock.ts'
import { PGLITE_OPTIONS } from '../src/database/embedded.ts'
import { readSettings } from '../src/env.ts'
import { startLibraryJobs } from '../src/features/content/library/library.jobs.ts'
import { sweepMedia } from '../src/features/content/library/sweep-media.ts'
import { images } from '../src/features/inventory/titles/titles.table.ts'
import { startGuideJobs } from '../src/features/television/guide-import/guide-jobs.ts'
import { sweepPictures } from '../src/features/television/guide-import/sweep-pictures.ts'
import { PictureCache } from '../src/features/viewing/images/picture-cache.ts'
import { createService, type Service } from '../src/service.ts'
import { buildersOf, buildTrackSet } from './builders.ts'
import { runCommand } from './commands.ts'
import { barePostgres, copyEmbedded, DATABASES, freshPostgres } from './databases.ts'
import { NOON } from './service.ts'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const HOUR = 3600_000

// Each test starts several services.
vi.setConfig({ testTimeout: 300_000 })

/** All modules that remove files, each with the reason why these files are Ondine's own and unused. */
const REMOVERS: Record<string, string> = {
  'control/ownership.ts': 'the control socket, which nobody answers on; locks that are empty folders',
  'features/television/guide-import/fetched-pictures.service.ts': 'a temporary file that the same call made',
  'features/television/guide-import/spool.ts': 'a temporary folder that the same call made',
  'features/viewing/images/picture-cache.ts':
    'pictures that can be made again, by names that the cache gives',
  'ingest/images.ts': 'pictures that the sweep below knows to be forgotten by this database',
  'ingest/package.ts': 'a temporary file that the same call made',
  'ingest/workspace.ts': 'workspaces, by names that are given there, in a store of ours',
  'segments/folder-entries.ts': 'the quarantine of a store of ours, when an operator says so',
  'segments/folder-segments.ts': 'a TrackSet that was set aside, because its row is gone or was never made',
  'segments/s3-client.ts': 'objects by names that s3-segments.ts gives',
  'segments/s3-segments.ts':
    'a TrackSet that has a mark: it was set aside, is unfinished, or an operator empties the quarantine; and marks',
}

it('lists every module that removes files, with the proof that they are Ondine’s own', async () => {
  const paths = globSync('**/*.ts', { cwd: SOURCES }).filter(
    (path) => !/(?:^|\/)test-|\.test\.ts$/.test(path),
  )
  const found: string[] = []
  for (const path of paths)
    if (
      /\b(?:(?:rm|rmdir|unlink)(?:Sync)?|deletePrefix|client\.delete)\(/.test(
        await readFile(join(SOURCES, path), 'utf8'),
      )
    )
      found.push(path)
  expect(found.toSorted()).toEqual(Object.keys(REMOVERS).toSorted())
})

interface Installation extends Service {
  clock: SettableClock
  /** Lines of the service's log. */
  said: string[]
  /** Writes a backup of the database to a file. @returns the path of the file */
  backup(): Promise<string>
}

const run = promisify(execFile)

describe.each(DATABASES)('stores of media and pictures, with databases of kind %s', (kind) => {
  let dataDir: string
  let backups: string
  const opened: Installation[] = []
  const drops: (() => Promise<void>)[] = []
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ondine-removals-'))
    backups = await mkdtemp(join(tmpdir(), 'ondine-backups-'))
  })
  afterAll(async () => {
    for (const service of opened) await service.close()
    for (const drop of drops) await drop()
    for (const folder of [dataDir, backups]) await rm(folder, { recursive: true, force: true })
  })

  /** Creates a database, empty or from a backup, and a function that backs it up. */
  async function database(backup: string | undefined) {
    if (kind === 'postgresql') {
      const { url, drop } = await (backup === undefined ? freshPostgres() : barePostgres())
      drops.push(drop)
      if (backup !== undefined) await run('pg_restore', ['--no-owner', `--dbname=${url}`, backup])
      const write = async (path: string) =>
        void (await run('pg_dump', ['--format=custom', `--file=${path}`, url]))
      return { url, write }
    }
    const folder = await mkdtemp(join(backups, 'database-'))
    if (backup === undefined) await copyEmbedded(folder)
    const loadDataDir = backup === undefined ? {} : { loadDataDir: new Blob([await readFile(backup)]) }
    const pglite = new PGlite(join(folder, 'database'), { ...PGLITE_OPTIONS, ...loadDataDir })
    const write = async (path: string) => await writeFile(path, (await pglite.dumpDataDir('none')).stream())
    return { pglite, write }
  }

  /** Opens a service on the same media, with a new database or with a backup. */
  async function open(from?: string): Promise<Installation> {
    const { url, pglite, write } = await database(from)
    const clock = new SettableClock(NOON)
    const said: string[] = []
    const service = await createService({
      settings: readSettings({
        DATA_DIR: dataDir,
        OVERLOAD_DELAY_MS: '0',
        ...(url === undefined ? {} : { DATABASE_URL: url }),
      }),
      clock,
      log: pino({ level: 'warn' }, { write: (line) => said.push(line) }),
      ...(pglite ? { pglite } : {}),
    })
    let count = 0
    const number = opened.length
    const backup = async () => {
      const path = join(backups, `${number}-${++count}`)
      await write(path)
      return path
    }
    const installation = { ...service, clock, said, backup }
    opened.push(installation)
    return installation
  }

  /** Adds a title with media and a picture to the installation. */
  async function addTitle({ context }: Installation, title: string, background: string) {
    const trackSet = buildTrackSet()
    await mkdir(join(context.folders.media, trackSet.id))
    await writeFile(join(context.folders.media, trackSet.id, 'track-set.json'), JSON.stringify(trackSet))
    const file = join(dataDir, 'picture.png')
    await sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toFile(file)
    const picture = await context.images.store(file)
    await rm(file)
    await context.db.insert(images).values(picture).onConflictDoNothing()
    await buildersOf(context).asset(title, { trackSet, posterImage: picture.id })
    return { media: trackSet.id, picture: picture.id }
  }

  /** Runs every sweep now, and again 26 hours later, when everything is old enough to be removed. */
  async function sweepAll({ context, clock }: Installation): Promise<void> {
    await startLibraryJobs(context)
    for (const hours of [0, 26]) {
      clock.advance(hours * HOUR)
      await sweepMedia({ ...context, clock }, Date.now() + 2 * HOUR)
      await sweepPictures(context, Date.now() + 2 * HOUR)
    }
    const cache = new PictureCache({ folder: context.folders.pictures, maxBytes: 1, now: () => clock.now() })
    await cache.sweep()
  }

  /** Returns every file below `DATA_DIR`, except the stores' markers. */
  async function files(): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.database'))
      .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
      .toSorted()
  }

  const markers = () => ['media', 'images'].map((store) => join(dataDir, store, '.database'))

  it('lose nothing to a wrong, an empty or an older database, and are complete again with their own', async () => {
    const own = await open()
    const first = await addTitle(own, 'La Houle', '#102030')
    const older = await own.backup()
    const second = await addTitle(own, 'Le Métier', '#302010')
    const newest = await own.backup()
    // Adds unfinished media, and foreign files in every folder.
    for (const path of [
      `media/.making/${'a'.repeat(32)}/work/v720.mp4`,
      `media/.making/${'b'.repeat(32)}.removed/1.m4s`,
      'media/.making/notes/mine.txt',
      'media/holidays/mine.mp4',
      'images/ab/mine.txt',
      'images/mine.txt',
      'picture-cache/holidays/mine.jpg',
    ]) {
      await mkdir(join(dataDir, path, '..'), { recursive: true })
      await writeFile(join(dataDir, path), 'whatever')
    }
    const all = await files()

    const empty = await open()
    await sweepAll(empty)
    expect(await files()).toEqual(all)
    expect(empty.said.join()).toMatch(/belongs to another database.*store claim/)
    await expect(runCommand(empty, 'store empty')).rejects.toThrow('belongs to another database')

    const wrong = await open()
    const theirs = await addTitle(wrong, 'La Houle', '#102030')
    await wrong.context.db.delete(images).catch(() => undefined)
    const withTheirs = await files()
    await sweepAll(wrong)
    expect(await files()).toEqual(withTheirs)
    await rm(join(dataDir, 'media', theirs.media), { recursive: true })

    const restored = await open(older)
    // Only the embedded database removes workspaces at once: with PostgreSQL, another process may be using them
    // for a day.
    const making = all.filter((path) => kind === 'embedded' && /\.making\/[ab]{32}/.test(path))
    await sweepAll(restored)
    expect(restored.said.join()).toContain('in quarantine')
    expect(await files()).toEqual(
      all
        .filter((path) => !making.includes(path))
        .map((path) =>
          path
            .replace(`media/${second.media}`, `media/.quarantine/${second.media}`)
            .replace(
              `images/${second.picture.slice(0, 2)}/${second.picture}`,
              `images/.quarantine/${second.picture}`,
            ),
        )
        .toSorted(),
    )
    expect(await readdir(join(dataDir, 'media'))).toContain(first.media)
    expect(await runCommand(restored, 'doctor')).toMatch(
      /store media: 1 in quarantine[^]*store images: 1 in quarantine/,
    )

    const latest = await open(newest)
    // Starting the service must restore the files of its database.
    await startLibraryJobs(latest.context)
    await startGuideJobs(latest.context)
    expect(await files()).toEqual(all.filter((path) => !making.includes(path)))
    await sweepAll(latest)
    expect(await files()).toEqual(all.filter((path) => !making.includes(path)))
    expect(await runCommand(latest, 'doctor')).toMatch(/✓ store media: [^]*✓ store images: /)
  })

  it('without a marker are left alone by a database that knows none of their entries, and claimed by their own', async () => {
    const own = opened[0]
    if (!own) throw new Error('Nothing was opened.')
    const all = await files()
    for (const marker of markers()) await rm(marker)
    const empty = await open()
    await sweepAll(empty)
    await addTitle(empty, 'Le Large', '#203010')
    const withTheirs = await files()
    await sweepAll(empty)
    // Storing files in a folder must not make a database the folder's owner.
    expect(await files()).toEqual(withTheirs)
    await expect(runCommand(empty, 'doctor')).rejects.toThrow()
    for (const marker of markers()) await rm(marker)
    await sweepAll(own)
    expect(await files()).toEqual(expect.arrayContaining(all))
    expect(await runCommand(own, 'doctor')).toContain('✓ store media: belongs to this database')
  })

  it('go to another database when an operator says so, and its unknown entries are kept until the operator empties the quarantine', async () => {
    const heir = await open()
    const before = await files()
    const bodies = before.filter((path) => /(?:track-set\.json|original\.webp)$/.test(path)).length
    await runCommand(heir, 'store claim')
    await sweepAll(heir)
    const held = (await files()).filter((path) => path.includes('.quarantine'))
    expect(held).toHaveLength(bodies)
    expect(await runCommand(heir, 'store empty')).toBe(`Entries deleted: ${bodies}.`)
    expect((await files()).filter((path) => path.includes('.quarantine'))).toEqual([])
    expect(await files()).toEqual(expect.arrayContaining(['images/ab/mine.txt', 'media/holidays/mine.mp4']))
  })
})
