import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { editorialData, listEditorial } from '@ondine/contract/editorial'
import {
  listTexts,
  readText,
  removeText,
  restoreText,
  textHistory,
  undoText,
  writeText,
} from '@ondine/contract/editorial-calls'
import type { Language } from '@ondine/contract/languages'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { images } from '../../inventory/titles/titles.table.ts'
import { importEditorial } from './editorial-import.service.ts'

const PICTURE = 'c'.repeat(32)

const markdown = (title: string, more = '', text = 'Texte.') =>
  `---\ntitle: ${title}\n${more}---\n\n${text}\n`

describe.each(MAIN_DB)('texts that operators write, on a database of kind %s', (kind) => {
  let service: TestService
  let tokens: Tokens
  let folder: string
  let written = 0

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    tokens = (await buildersOf(service.context).operator()).tokens
    folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    await service.context.db.insert(images).values({ id: PICTURE, width: 640, height: 360, color: '#336699' })
  })
  afterAll(async () => {
    await service.remove()
    await rm(folder, { recursive: true })
  })
  afterEach(() => {
    written += 1
  })

  /** Returns the key of a text; without arguments, the key of a text that only the present test writes. */
  const named = (slug = `texte-${written}`, type = 'articles') => ({ language: 'fra' as const, type, slug })
  const write = async (text: string, revision = 0, name = named(), reason = '') =>
    await service.call(writeText, { ...name, revision, markdown: text, reason }, tokens)
  const shown = async (name = named()) =>
    await service.call(editorialData, { type: name.type, slug: name.slug })
  const titleOf = async (name = named()) => {
    const { status, result } = await shown(name)
    return status === 200 ? result.content.title : status
  }

  it('V3-34 are shown and searchable as soon as they are written, and changed and removed live', async () => {
    const name = named()
    expect(await titleOf()).toBe(404)
    const first = await write(markdown('Le carénage', 'keywords: [gréement]\n'), 0, name, 'new')
    expect(first.result).toMatchObject({ revision: 1, warnings: [] })
    expect(await titleOf()).toBe('Le carénage')
    expect(
      (await service.call(listEditorial, { type: 'articles', page: 1, itemsPerPage: 20 })).result.total,
    ).toBe(1)
    const found = await service.app.inject('/cms/search?term=greement&languageId=fra')
    expect(found.json().result.articles).toMatchObject([{ title: 'Le carénage' }])
    await write(markdown('Le radoub'), 1)
    expect(await titleOf()).toBe('Le radoub')
    await write(markdown('Le radoub', 'draft: true\n'), 2)
    expect(await titleOf()).toBe(404)
    const { result } = await service.call(readText, name, tokens)
    expect(result).toMatchObject({
      revision: 3,
      markdown: markdown('Le radoub', 'draft: true\n'),
      text: { title: 'Le radoub', draft: true, file: null, revision: 3 },
    })
    await service.call(removeText, { ...name, revision: 3, reason: '' }, tokens)
    expect((await service.call(readText, name, tokens)).result).toEqual({
      revision: 4,
      markdown: null,
      text: null,
    })
  })

  it('record who changed what and why; changes are undone one by one, or to a revision', async () => {
    const name = named()
    await write(markdown('Un'), 0, name, 'begun')
    await write(markdown('Deux'), 1)
    await service.call(undoText, { ...name, revision: 2, reason: '' }, tokens)
    expect(await titleOf()).toBe('Un')
    await service.call(undoText, { ...name, revision: 3, reason: '' }, tokens)
    expect(await titleOf()).toBe(404)
    await service.call(restoreText, { ...name, revision: 4, to: 2, reason: 'better' }, tokens)
    expect(await titleOf()).toBe('Deux')
    const { result } = await service.call(textHistory, { ...name, before: 100, count: 20 }, tokens)
    expect(result.map(({ revision, reason, restores }) => [revision, reason, restores])).toEqual([
      [5, 'better', 2],
      [4, '', 0],
      [3, '', 1],
      [2, '', null],
      [1, 'begun', null],
    ])
    expect(result.at(-1)?.differences).toEqual([{ path: 'markdown', to: markdown('Un') }])
  })

  it('belong to the operator or to the folder: writing one takes it over, and the next import reports that', async () => {
    const { storefronts } = service.context
    const name = named('phare')
    await writeFile(join(folder, 'phare.fra.md'), markdown('Du dossier'))
    const take = async () =>
      await importEditorial(service.context, folder, {
        storefront: storefronts.first(),
        signal: new AbortController().signal,
      })
    await take()
    const before = (await service.call(readText, name, tokens)).result
    expect(before).toMatchObject({ revision: 0, markdown: null, text: { file: 'phare.fra.md' } })
    await write(markdown('De la main'), 0, name)
    const { problems } = await take()
    expect(problems).toMatchObject([{ file: 'phare.fra.md' }])
    expect(await titleOf(name)).toBe('De la main')
    await service.call(removeText, { ...name, revision: 1, reason: '' }, tokens)
    await take()
    expect(await titleOf(name)).toBe('Du dossier')
  })

  it('show the service’s own pictures, and warn about content that is not shown', async () => {
    const text = `![Une vague](/images/${PICTURE})\n\n![Autre](autre.jpg)\n\n<script>alert(1)</script>`
    const { result } = await write(markdown('Images', '', text))
    expect(result.warnings.map(({ path }) => path)).toEqual(['markdown.7', 'markdown.9'])
    const html = JSON.stringify((await shown()).result.content)
    expect(html).toContain(`/images/${PICTURE}`)
    expect(html).not.toContain('<script')
  })

  it('are listed by type and language, including drafts', async () => {
    await write(markdown('Contact'), 0, named('contact', 'page'))
    const list = async (fields: { type?: string; language?: Language }) =>
      (await service.call(listTexts, { page: 1, count: 100, ...fields }, tokens)).result.map(
        ({ slug }) => slug,
      )
    expect(await list({ type: 'page' })).toEqual(['contact'])
    expect(await list({ language: 'eng' })).toEqual([])
    expect(await list({})).toContain('contact')
  })

  it.each([
    ['no front matter', 'Texte.', 'markdown.1'],
    ['front matter without an end', '---\ntitle: x\n', 'markdown.1'],
    ['no title', '---\nauthor: x\n---\n', 'markdown.2'],
    ['an unknown field', markdown('x', 'colour: red\n'), 'markdown.3'],
    ['another slug than its address', markdown('x', 'slug: autre\n'), 'markdown.2'],
    ['an unknown language', markdown('x', 'language: klingon\n'), 'markdown.2'],
    ['an end before its beginning', markdown('x', 'publish: 2026-02-01\nuntil: 2026-01-01\n'), 'markdown.2'],
    ['control characters', markdown('x\u0000'), 'markdown'],
    ['100,001 characters', 'x'.repeat(100_001), 'markdown'],
  ])('with %s are refused by line and reason, and nothing changes', async (_what, text, field) => {
    const { status, error } = await write(text)
    expect(status).toBe(400)
    expect(error.details?.fields?.[0]?.field).toBe(field)
    expect(error.details?.fields?.[0]?.message).toMatch(/\S/)
    expect((await service.call(readText, named(), tokens)).result).toMatchObject({ revision: 0, text: null })
  })

  it('are refused at the address of a screen, under wrong names, and over a revision that the writer has not seen', async () => {
    expect((await write(markdown('x'), 0, named('search', 'page'))).status).toBe(400)
    expect((await write(markdown('x'), 0, named('../x'))).status).toBe(400)
    expect((await write(markdown('x'), 3)).status).toBe(404)
    await write(markdown('x'))
    expect((await write(markdown('y'))).status).toBe(409)
    expect(await titleOf()).toBe('x')
    const gone = { ...named('nowhere'), revision: 0, reason: '' }
    expect((await service.call(removeText, gone, tokens)).status).toBe(404)
    expect((await service.call(undoText, gone, tokens)).status).toBe(400)
  })

  it('can be written, listed, read and undone by commands', async () => {
    const file = join(folder, 'par-commande.txt')
    const at = ['fra', 'articles/par-commande']
    await writeFile(file, markdown('Par commande'))
    const said = await runCommand(service, 'editorial put', [...at, file], { by: 'Camille' })
    expect(said).toContain('editorial undo fra articles/par-commande')
    expect(await titleOf(named('par-commande'))).toBe('Par commande')
    expect(await runCommand(service, 'editorial list', ['articles'])).toMatch(
      /^fra {2}articles\/par-commande /m,
    )
    expect(await runCommand(service, 'editorial get', at)).toBe(markdown('Par commande'))
    expect(await runCommand(service, 'editorial history', at)).toMatch(/^1 .*Camille/)
    await runCommand(service, 'editorial remove', at)
    expect(await titleOf(named('par-commande'))).toBe(404)
    await runCommand(service, 'editorial undo', at)
    expect(await titleOf(named('par-commande'))).toBe('Par commande')
    await writeFile(file, 'Texte.')
    await expect(runCommand(service, 'editorial put', [...at, file])).rejects.toThrow('markdown.1')
    await expect(runCommand(service, 'editorial get', ['fra', 'nichts'])).rejects.toThrow('type and slug')
  })
})
