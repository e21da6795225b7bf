import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { STILLS, writeTexts } from './make-editorial.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-editorial-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

test('every text exists in both languages and names only pictures that are drawn', async () => {
  const texts = new URL('../editorial/', import.meta.url)
  const names = (await readdir(texts, { recursive: true })).filter((name) => name.endsWith('.md'))
  expect(names.length).toBeGreaterThanOrEqual(24)
  const drawn = new Set(STILLS.map(({ file }) => file))
  const shown = new Set<string>()
  for (const name of names) {
    expect(names).toContain(name.replace(/\.(fra|eng)\.md$/, name.includes('.fra.') ? '.eng.md' : '.fra.md'))
    const text = await readFile(new URL(name, texts), 'utf8')
    for (const [, picture = ''] of text.matchAll(/(?:^image: |\]\()([\w-]+\.jpg)/gm)) {
      const file = `${name.split('/')[0]}/${picture}`
      expect(drawn).toContain(file)
      shown.add(file)
    }
  }
  expect([...drawn].filter((file) => !shown.has(file))).toEqual([])
  for (const { titleId } of STILLS) expect(CATALOGUE.map(({ id }) => id)).toContain(titleId)
})

test('existing pictures are not written again, and files that the texts no longer have are removed', async () => {
  await writeTexts(folder)
  const text = join(folder, 'page/legal.fra.md')
  const { mtimeMs } = await stat(text)
  await writeFile(join(folder, 'page/old.fra.md'), '---\ntitle: Old\n---\n')
  await writeTexts(folder)
  expect((await stat(text)).mtimeMs).toBe(mtimeMs)
  expect(await readdir(join(folder, 'page'))).not.toContain('old.fra.md')
})
