import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MakerProcess } from './maker-process.ts'
import type { StillSource } from './task.ts'

/** Folder of the articles and pages, which are in subfolders by type. */
const TEXTS = fileURLToPath(new URL('../editorial', import.meta.url))

/** A picture of an article or a page: a still of a title. */
interface Still extends Omit<StillSource, 'variation'> {
  readonly file: string
  readonly titleId: string
  /** Defaults to the first variation. */
  readonly variation?: number
}

/**
 * All pictures of articles and pages. Each is a still of a film of this library. These stills differ from the
 * stills on the film's cards (`stills.landscape`) and behind its page (`stills.fanart`).
 */
export const STILLS: readonly Still[] = [
  {
    file: 'articles/houle-vagues.jpg',
    titleId: 'la-houle',
    point: 0.3,
    crop: { left: 0.4, top: 0.5, size: 0.5 },
  },
  { file: 'articles/houle-nuit.jpg', titleId: 'la-houle', point: 0.9 },
  { file: 'articles/houle-soir.jpg', titleId: 'la-houle', point: 0.62 },
  { file: 'articles/metro.jpg', titleId: 'ville-basse', point: 0.38 },
  { file: 'articles/train-nuit.jpg', titleId: 'premiere-neige', point: 0.62 },
  { file: 'making-of/metier.jpg', titleId: 'le-metier', point: 0.7 },
  { file: 'making-of/metier-etoffe.jpg', titleId: 'le-metier', point: 0.5, variation: 3 },
  { file: 'making-of/papier.jpg', titleId: 'les-decoupages', point: 0.5 },
  { file: 'interview/lunes.jpg', titleId: 'apogee', point: 0.84 },
  { file: 'festival/aurore.jpg', titleId: 'ciels-du-nord', point: 0.5 },
  { file: 'lifestyle/recif.jpg', titleId: 'recif', point: 0.52 },
  { file: 'lifestyle/encre.jpg', titleId: 'encre', point: 0.78 },
  {
    file: 'disciplines/voilier.jpg',
    titleId: 'la-houle',
    point: 0.12,
    crop: { left: 0, top: 0.36, size: 1 / 3 },
  },
  { file: 'page/about.jpg', titleId: 'interferences', point: 0.1 },
  { file: 'page/bienvenue.jpg', titleId: 'sables', point: 0.5 },
]

/**
 * Draws those pictures of articles and pages that `folder` does not have yet. @returns the number of drawn
 * pictures
 */
export async function drawStills(folder: string, signal?: AbortSignal): Promise<number> {
  const missing: Still[] = []
  for (const still of STILLS) if (!(await exists(join(folder, still.file)))) missing.push(still)
  if (missing.length === 0) return 0
  const maker = new MakerProcess()
  const stop = () => maker.end()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for (const { file, variation = 0, ...source } of missing) {
      signal?.throwIfAborted()
      const path = join(folder, file)
      await mkdir(dirname(path), { recursive: true })
      await maker.run({ kind: 'still', ...source, variation, file: path }, () => {})
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
  return missing.length
}

/** Writes new and changed articles and pages into `folder`, and removes those that no longer exist. */
export async function writeTexts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const wanted = new Set((await readdir(TEXTS, { recursive: true })).filter((name) => name.endsWith('.md')))
  for (const name of wanted) {
    const path = join(folder, name)
    const text = await readFile(join(TEXTS, name))
    if ((await exists(path)) && text.equals(await readFile(path))) continue
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.part`, text)
    await rename(`${path}.part`, path)
  }
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.md') && !wanted.has(name)) await rm(join(folder, name))
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
