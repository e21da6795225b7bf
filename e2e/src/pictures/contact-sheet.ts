import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SETTINGS, type Taken } from './take.ts'

/**
 * Suffix of the file with the faults of a picture. Each picture has its own file, so that a run for some
 * screens does not change the files of the others.
 */
const FAULTS = '.faults.txt'

/** Stores the faults of a picture's page. */
export async function keepFindings(folder: string, { picture, faults }: Taken): Promise<void> {
  const file = join(folder, picture + FAULTS)
  if (faults.length === 0) await rm(file, { force: true })
  else await writeFile(file, `${faults.join('\n')}\n`)
}

/** Writes a page that shows all pictures of a folder, the widths of a screen side by side. */
export async function writeContactSheet(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const sections = await Promise.all(names.toSorted().map(async (name) => await section(folder, name)))
  await writeFile(join(folder, 'index.html'), `${HEAD}\n${sections.join('\n')}\n`)
}

async function section(folder: string, name: string): Promise<string> {
  const files = new Set(await readdir(join(folder, name)))
  const pictures = SETTINGS.map(({ who, language, width }) => `${who}-${language}-${width}.png`)
  const figures = pictures
    .filter((picture) => files.has(picture))
    .map((picture) => {
      const address = `${name}/${picture}`
      const faults = files.has(picture + FAULTS) ? ` <a href="${address}${FAULTS}">faults</a>` : ''
      return `<figure><a href="${address}"><img loading="lazy" src="${address}" alt=""></a><figcaption>${picture}${faults}</figcaption></figure>`
    })
  return figures.length === 0
    ? ''
    : `<section id="${name}"><h2>${name}</h2><div>${figures.join('')}</div></section>`
}

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures of every screen</title>
<style>
  body { margin: 24px; background: #1b1f26; color: #e8ecf1; font: 14px/1.4 system-ui }
  section > div { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; align-items: start }
  figure { margin: 0 }
  img { width: 100%; max-height: 640px; object-fit: cover; object-position: top; background: #000 }
  figcaption a { color: #ff9aa6 }
</style>`
