import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Taken } from './take.ts'

/** What was found at a screen is kept beside its pictures, so that a run of some screens keeps the others. */
export const FINDINGS = 'findings.json'

/** Writes a page that shows all pictures of a folder side by side. */
export async function writeContactSheet(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const sections = await Promise.all(
    names.toSorted().map(async (name) => {
      const taken = JSON.parse(await readFile(join(folder, name, FINDINGS), 'utf8')) as Taken[]
      return section(name, taken)
    }),
  )
  await writeFile(join(folder, 'index.html'), `${HEAD}\n${sections.join('\n')}\n`)
}

function section(name: string, taken: readonly Taken[]): string {
  const figures = taken.map(({ picture, faults }) => {
    const found = faults.map((fault) => `<li>${escaped(fault)}`).join('')
    return `<figure><a href="${name}/${picture}"><img loading="lazy" src="${name}/${picture}" alt=""></a><figcaption>${picture}<ul>${found}</ul></figcaption></figure>`
  })
  return `<section id="${name}"><h2>${name}</h2><div>${figures.join('')}</div></section>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures of every screen</title>
<style>
  body { margin: 24px; background: #1b1f26; color: #e8ecf1; font: 14px/1.4 system-ui }
  section > div { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start }
  figure { margin: 0; width: min(420px, 100%) }
  img { width: 100%; max-height: 520px; object-fit: cover; object-position: top; background: #000 }
  li { color: #ff9aa6 }
</style>`
