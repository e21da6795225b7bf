import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventAt, writeEvent } from './event.ts'

const HOUR_MS = 3_600_000

describe('the event', () => {
  it.each([
    ['a Thursday', '2026-01-15T12:00:00Z', '2026-01-17T19:00:00Z'],
    ['the Saturday before it begins', '2026-01-17T18:59:59Z', '2026-01-17T19:00:00Z'],
    ['its last second', '2026-01-17T20:59:59Z', '2026-01-17T19:00:00Z'],
    ['its end', '2026-01-17T21:00:00Z', '2026-01-24T19:00:00Z'],
    ['the end of a year', '2026-12-31T23:00:00Z', '2027-01-02T19:00:00Z'],
  ])('on %s is the event of the next Saturday evening that is not over', (_, now, starts) => {
    const startsAt = Date.parse(starts)
    expect(eventAt(Date.parse(now))).toEqual({ startsAt, endsAt: startsAt + 2 * HOUR_MS })
  })
})

describe('a library', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-event-'))
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  it('does not get the event when the film of the event is missing', async () => {
    await writeEvent(folder, eventAt(0))
    await expect(readFile(join(folder, 'Films/Interférences (2025)/movie.nfo'))).rejects.toThrow('ENOENT')
  })

  it('gets the times of the event, and new times each week', async () => {
    const title = join(folder, 'Films/Interférences (2025)')
    await mkdir(title, { recursive: true })
    await writeFile(join(title, 'movie.nfo'), '<movie></movie>')
    for (const [now, starts, ends] of [
      ['2026-01-15T12:00:00Z', '2026-01-17T19:00:00Z', '2026-01-17T21:00:00Z'],
      ['2026-01-18T12:00:00Z', '2026-01-24T19:00:00Z', '2026-01-24T21:00:00Z'],
    ] as const) {
      await writeEvent(folder, eventAt(Date.parse(now)))
      const written = await readFile(join(title, 'movie.nfo'), 'utf8')
      expect(written).toContain(`<starts>${starts}</starts>`)
      expect(written).toContain(`<ends>${ends}</ends>`)
      expect(written).toContain('<title>Interférences</title>')
    }
  })
})
