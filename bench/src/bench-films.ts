import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ingest, type Published } from '@ondine/server/ingest/ingest'
import { folderSegments } from '@ondine/server/segments/folder-segments'
import { makeSourceFilm } from './source-film.ts'

const FILMS = 4
const SECONDS = 60

let made: Promise<{ folder: string; films: Published[] }> | undefined

/** Makes playable, encrypted films of 60 s in two sizes. They are made once, and all rows of a run use them. */
export async function benchFilms(mediaFolder: string): Promise<Published[]> {
  made ??= makeFilms()
  const { folder, films } = await made
  for (const { trackSet } of films) {
    await cp(join(folder, trackSet.id), join(mediaFolder, trackSet.id), { recursive: true })
  }
  return films
}

async function makeFilms(): Promise<{ folder: string; films: Published[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ondine-bench-films-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { path } = await makeSourceFilm(join(folder, 'film.mkv'), SECONDS, { lines: 720, fits: true })
  const films: Published[] = []
  for (let number = 0; number < FILMS; number++) {
    films.push(
      await ingest(
        { path, segments: folderSegments(folder), encrypted: true, subtitles: [] },
        { signal: AbortSignal.timeout(300_000) },
      ),
    )
  }
  return { folder, films }
}
