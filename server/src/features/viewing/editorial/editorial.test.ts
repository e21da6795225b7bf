import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { editorialData, faqData, listEditorial } from '@ondine/contract/editorial'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { importEditorialCommand } from './editorial.commands.ts'
import { editorial } from './editorial.table.ts'
import { EditorialImportError, importEditorial } from './editorial-import.service.ts'

const ARTICLE = `---
title: Lire la mer
author: Ada Lorn
date: 2026-01-10
description: Une gardienne de phare apprend la langue des vagues.
keywords: [mer, phare]
image: houle.jpg
imageAlt: Une vague au soleil couchant
metadata: { lieu: Ouessant }
---
Un [film](vod_asset/la-houle), une [chose perdue](vod_asset/rien).

[La Houle](vod_asset/la-houle)

![Deux minutes](trailer/la-houle)

[Minuit](vod_asset/minuit)
`

const article = (title: string, more = '', text = 'Texte.') => `---\ntitle: ${title}\n${more}\n---\n${text}\n`

describe.each(MAIN_DB)('written content, on a database of kind %s', (kind) => {
  let service: TestService
  let child: Actor
  let folder: string
  let picture: Buffer
  let slashed: number

  beforeAll(async () => {
    service = await startTestService(kind, { CATALOGUE_CACHE_SECONDS: 0 })
    const build = buildersOf(service.context)
    child = await build.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    await build.asset('La Houle', { trailer: buildTrackSet({ seconds: 12, encrypted: false }) })
    slashed = (await build.asset('Face/Off')).id
    await build.asset('Minuit', { adult: true, moralityLevel: 6 })
    picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer()
  })
  afterAll(async () => await service.remove())

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-editorial-'))
    return async () => {
      await service.context.db.delete(editorial)
      await rm(folder, { recursive: true, force: true })
    }
  })

  /** Writes exactly `files` into the folder and imports it. */
  async function take(files: Record<string, string | Buffer>) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    return await importAgain()
  }

  async function importAgain() {
    return await importEditorial(service.context, folder, {
      storefront: service.context.storefronts.first(),
      signal: new AbortController().signal,
    })
  }

  const read = async (type: string | undefined, slug: string, languageId = 'fra', tokens = {}) =>
    await service.call(editorialData, { type, slug, languageId } as { slug: string }, tokens)
  const titles = async (
    filter: { type?: string; keyword?: string; languageId?: 'fra' | 'eng' },
    tokens = {},
  ) =>
    (await service.call(listEditorial, { page: 1, itemsPerPage: 100, ...filter }, tokens)).result.items.map(
      ({ title }) => title,
    )

  it('V3-34 presents an article with all its fields, its picture and its cards from the catalogue', async () => {
    await take({ 'making-of/lire-la-mer.fra.md': ARTICLE, 'making-of/houle.jpg': picture })
    const { result } = await read('making-of', 'lire-la-mer')
    expect(result.content).toMatchObject({
      id: expect.any(Number),
      title: 'Lire la mer',
      type: 'making-of',
      slug: 'lire-la-mer',
      isPage: false,
      author: 'Ada Lorn',
      description: 'Une gardienne de phare apprend la langue des vagues.',
      keywords: ['mer', 'phare'],
      creationDate: Date.UTC(2026, 0, 10) / 1000,
      directMetadata: { lieu: 'Ouessant' },
      detailRoute: '/read/making-of/lire-la-mer',
      image: { width: 1600, height: 900 },
    })
    const [words, card, trailer] = result.content.content
    expect(words).toMatchObject({
      content: [
        { text: 'Un ' },
        { kind: 'link', address: expect.stringMatching(/^vod_asset\/\d+\/La Houle$/) },
        { text: ', une ' },
        { kind: 'text', text: 'chose perdue' },
        { text: '.' },
      ],
    })
    expect(card).toEqual({ kind: 'card', reference: 'vod_asset/la-houle' })
    expect(trailer).toEqual({ kind: 'trailer', reference: 'vod_asset/la-houle', caption: 'Deux minutes' })
    expect(result.content.cards['vod_asset/la-houle']).toMatchObject({ payload: { title: 'La Houle' } })
    const file = await service.app.inject(`${result.content.image?.url}/480`)
    expect(file.statusCode).toBe(200)
  })

  it('V1-03, V2.2-15 the catalogue includes articles and pages beside films', async () => {
    await take({ 'a.fra.md': article('Un article'), 'page/aide.fra.md': article('Aide') })
    expect(await titles({})).toEqual(['Un article'])
    expect((await read(undefined, 'aide')).result.content).toMatchObject({
      isPage: true,
      type: 'page',
      detailRoute: '/aide',
    })
    expect((await read(undefined, 'a')).status).toBe(404)
    expect((await read('articles', 'aide')).status).toBe(404)
  })

  it('answers in the requested language, else in the default one, else in any', async () => {
    await take({
      'a.fra.md': article('Bonjour'),
      'a.eng.md': article('Hello'),
      'b.fra.md': article('Seulement'),
      'c.eng.md': article('Only'),
    })
    const titleOf = async (slug: string, language: string) =>
      (await read('articles', slug, language)).result.content.title
    expect(await titleOf('a', 'eng')).toBe('Hello')
    expect(await titleOf('a', 'fra')).toBe('Bonjour')
    expect(await titleOf('b', 'eng')).toBe('Seulement')
    expect((await read('articles', 'c', 'fra')).result.content).toMatchObject({
      title: 'Only',
      language: 'eng',
    })
    expect((await titles({ type: 'articles' })).sort()).toEqual(['Bonjour', 'Only', 'Seulement'])
  })

  it('hides from a child texts above its level, and cards of films hidden from it', async () => {
    await take({ 'a.fra.md': ARTICLE, 'strong.fra.md': article('Fort', 'level: 4') })
    const cards = async (tokens = {}) =>
      Object.keys((await read('articles', 'a', 'fra', tokens)).result.content.cards)
    expect(await cards()).toEqual(['vod_asset/la-houle', 'vod_asset/minuit'])
    expect(await cards(child.tokens)).toEqual(['vod_asset/la-houle'])
    expect((await read('articles', 'strong')).status).toBe(200)
    expect((await read('articles', 'strong', 'fra', child.tokens)).status).toBe(404)
    expect(await titles({}, child.tokens)).toEqual(['Lire la mer'])
  })

  it('shows drafts to nobody, and dated texts only within their dates', async () => {
    await take({
      'draft.fra.md': article('Brouillon', 'draft: true'),
      'soon.fra.md': article('Bientôt', 'publish: 2026-01-16'),
      'over.fra.md': article('Passé', 'until: 2026-01-15'),
      'on.fra.md': article('En cours', 'publish: 2026-01-15\nuntil: 2026-01-17'),
    })
    expect(await titles({})).toEqual(['En cours'])
    for (const slug of ['draft', 'soon', 'over']) expect((await read('articles', slug)).status).toBe(404)
    service.clock.set(NOON + 86_400_000)
    expect(await titles({})).toEqual(expect.arrayContaining(['Bientôt', 'En cours']))
    service.clock.set(NOON)
  })

  it('lists by rank, then the newest first, and returns the neighbours', async () => {
    await take({
      'a.fra.md': article('A', 'date: 2026-01-01\nkeywords: [mer]'),
      'b.fra.md': article('B', 'date: 2026-01-03'),
      'c.fra.md': article('C', 'rank: 1\ndate: 2025-01-01'),
      'd.fra.md': article('D', 'rank: 0\ndate: 2024-01-01\nkeywords: "Mer"\ntopics: [voile]\nrelated: [b]'),
      'section/articles.fra.md': article('Le journal', 'description: Tout.'),
    })
    expect(await titles({ type: 'articles' })).toEqual(['D', 'C', 'B', 'A'])
    expect(await titles({ keyword: 'MER' })).toEqual(['D', 'A'])
    expect(await titles({ keyword: 'voile' })).toEqual(['D'])
    const list = await service.call(listEditorial, { type: 'articles', page: 2, itemsPerPage: 3 })
    expect(list.result).toMatchObject({ total: 4, items: [{ title: 'A' }], section: { title: 'Le journal' } })
    const { result } = await read('articles', 'd')
    expect(result).toMatchObject({ previous: null, next: { title: 'C' } })
    expect(result.related.map(({ title }) => title)).toEqual(['B', 'A', 'C'])
  })

  it('V2.1-26 lists the articles of a keyword in the language of the reader, whichever version names it', async () => {
    await take({
      'a.fra.md': article('Bonjour', 'keywords: [mer]'),
      'a.eng.md': article('Hello', 'keywords: [sea]'),
      'b.fra.md': article('Seulement', 'keywords: [mer]'),
      'c.fra.md': article('Sans', 'keywords: [vent]'),
      'brouillon.fra.md': article('Fini', 'keywords: [vent]'),
      'brouillon.eng.md': article('Draft', 'keywords: [sea]\ndraft: true'),
    })
    for (const [keyword, languageId, expected] of [
      ['mer', 'eng', ['Hello', 'Seulement']],
      ['sea', 'eng', ['Hello']],
      ['mer', 'fra', ['Bonjour', 'Seulement']],
      ['sea', 'fra', ['Bonjour']],
    ] as const)
      expect((await titles({ keyword, languageId })).toSorted(), `${keyword} ${languageId}`).toEqual(expected)
  })

  it('V2.2-08 finds an article by its id too', async () => {
    await take({
      'a.fra.md': article('A'),
      'making-of/b.fra.md': article('B'),
      'page/contact.fra.md': article('Contact'),
      'section/articles.fra.md': article('Le journal'),
    })
    const idOf = async (type: string, slug: string) => String((await read(type, slug)).result.content.id)
    const [a, b] = [await idOf('articles', 'a'), await idOf('making-of', 'b')]
    expect((await read('articles', a)).result.content.slug).toBe('a')
    expect((await read('making-of', b)).result.content.slug).toBe('b')
    // The link form `editorial/{id}` leads to this type for all articles.
    expect((await read('articles', b)).result.content).toMatchObject({ type: 'making-of', slug: 'b' })
    expect((await read('making-of', a)).status).toBe(404)
    expect((await read('articles', '999999')).status).toBe(404)
    const contact = await idOf('page', 'contact')
    for (const type of ['articles', 'making-of', 'page', undefined])
      expect((await read(type, contact)).status, type).toBe(404)
  })

  it('V2.1-25 V2.1-20 a number as the address of a page, or as a type, shows no text with that id', async () => {
    await take({ 'a.fra.md': article('A'), 'section/articles.fra.md': article('Le journal') })
    const { id } = (await read('articles', 'a')).result.content
    expect((await read(undefined, String(id))).status).toBe(404)
    expect((await read('page', String(id))).status).toBe(404)
    const list = await service.call(listEditorial, { type: String(id), page: 1, itemsPerPage: 10 })
    expect(list.result).toMatchObject({ total: 0, section: null })
  })

  it('A7.1-31 faqData returns questions with their answers, in order', async () => {
    await take({
      'faq/watch.fra.md': article('Regarder', 'rank: 2', '## Où ?\n\nIci.\n\n## Quand ?\n\nOuvert.'),
      'faq/pay.fra.md': article(
        'Payer',
        'rank: 1',
        'Avant.\n\n## Où ?\n\nLà : [films](vod_asset/la-houle).\n\n- oui',
      ),
    })
    const { result } = await service.call(faqData, {})
    expect(
      result.map(({ title, questions }) => [title, questions.map(({ id, question }) => [id, question])]),
    ).toEqual([
      ['Payer', [['ou', 'Où ?']]],
      [
        'Regarder',
        [
          ['watch-ou', 'Où ?'],
          ['quand', 'Quand ?'],
        ],
      ],
    ])
    expect(result[0]?.questions[0]?.answer.map(({ kind }) => kind)).toEqual(['paragraph', 'list'])
    expect(JSON.stringify(result[0]?.questions[0]?.answer)).toMatch(/vod_asset\/\d+\/La Houle/)
  })

  it('importing again updates texts, creates no duplicates, and withdraws missing ones', async () => {
    const files = { 'a.fra.md': article('A'), 'b.fra.md': article('B') }
    expect(await take(files)).toMatchObject({ added: 2, updated: 0, withdrawn: 0 })
    const { id } = (await read('articles', 'a')).result.content
    expect(await importAgain()).toMatchObject({ added: 0, updated: 0, unchanged: 2, withdrawn: 0 })
    expect(await take({ 'a.fra.md': article('A bis') })).toMatchObject({ updated: 1, withdrawn: 1 })
    expect((await read('articles', 'a')).result.content).toMatchObject({ id, title: 'A bis' })
    expect((await read('articles', 'b')).status).toBe(404)
    expect(await take(files)).toMatchObject({ added: 1, updated: 1, withdrawn: 0 })
    expect(await titles({})).toHaveLength(2)
  })

  it('keeps the text of a file that has become unreadable', async () => {
    await take({ 'a.fra.md': article('A') })
    const { problems, withdrawn } = await take({ 'a.fra.md': '---\ntitle: [\n---\n' })
    expect([problems.length > 0, withdrawn]).toEqual([true, 0])
    expect((await read('articles', 'a')).status).toBe(200)
  })

  it('withdraws nothing if no text is left, as when a disk is missing', async () => {
    const files = { 'page/terms.fra.md': article('Conditions'), 'a.fra.md': article('A') }
    await take(files)
    await expect(take({})).rejects.toThrow(
      `There is no text in ${folder} any more. Is a disk missing? Nothing was withdrawn.`,
    )
    await expect(take({ 'other/notes.txt': 'no text' })).rejects.toThrow(EditorialImportError)
    expect((await read(undefined, 'terms')).status).toBe(200)
    expect(await titles({})).toEqual(['A'])
    expect(await take({ 'a.fra.md': article('A') })).toMatchObject({ unchanged: 1, withdrawn: 1 })
    expect((await read(undefined, 'terms')).status).toBe(404)
  })

  it('accepts an empty folder that has no texts yet', async () => {
    expect(await take({})).toMatchObject({ added: 0, withdrawn: 0 })
  })

  it('keeps a text that comes from another folder', async () => {
    await take({ 'a.fra.md': article('A') })
    const other = await mkdtemp(join(tmpdir(), 'ondine-editorial-'))
    await writeFile(join(other, 'a.fra.md'), article('Other'))
    await writeFile(join(other, 'b.fra.md'), article('B'))
    const options = { storefront: service.context.storefronts.first(), signal: new AbortController().signal }
    const done = await importEditorial(service.context, other, options)
    expect(done).toMatchObject({
      added: 1,
      withdrawn: 0,
      problems: [{ reason: expect.stringContaining('another folder') }],
    })
    expect(await titles({})).toEqual(expect.arrayContaining(['A', 'B']))
    await rm(join(other, 'b.fra.md'))
    expect(await importEditorial(service.context, other, options)).toMatchObject({
      withdrawn: 1,
    })
    await rm(other, { recursive: true })
  })

  it('imports the valid part of a folder of bad files, and lists the rest with line and reason', async () => {
    const { added, problems, warnings } = await take({
      'good.fra.md': article(
        'Bon',
        '',
        'a\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](page/nulle-part)\n\n![z](absent.jpg)',
      ),
      'copy.fra.md': article('Double', 'slug: good'),
      'yaml.fra.md': '---\ntitle: "a\n---\n',
      'kind.fra.md': article('Genre', 'rank: premier'),
      'none.fra.md': 'Rien',
      'language.md': article('Langue', 'language: xyz'),
      'page/live.fra.md': article('Direct'),
      'page/legal.fra.md': article('Mentions'),
      'dates.fra.md': article('Dates', 'publish: 2026-02-01\nuntil: 2026-01-01'),
      'huge.fra.md': article('Énorme', '', 'x'.repeat(500_000)),
      'binary.fra.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe, 0x00]),
      'nest.fra.md': article('Nids', '', '>'.repeat(9000)),
      'new\nline.fra.md': '---\nx',
      'image.fra.md': article('Image', 'image: fake.jpg'),
      'fake.jpg': 'no picture',
      'out.fra.md': article('Dehors', 'image: ../../etc/passwd'),
      'notes.txt': 'not looked at',
    })
    expect(added).toBe(4)
    const reasons = Object.fromEntries(problems.map(({ file, line, reason }) => [file, `${line}: ${reason}`]))
    expect(reasons).toMatchObject({
      'good.fra.md': expect.stringContaining('is already used by copy.fra.md'),
      'yaml.fra.md': expect.stringMatching(/^\d: YAML/),
      'kind.fra.md': '3: rank must be a whole number',
      'none.fra.md': expect.stringMatching(/^1: .*front matter/),
      'language.md': '2: language xyz is not known',
      'page/live.fra.md': '2: slug live is the address of a screen',
      'dates.fra.md': '2: until comes before publish',
      'huge.fra.md': expect.stringContaining('bytes'),
      'binary.fra.md': expect.stringContaining('UTF-8'),
      'nest.fra.md': expect.stringContaining('nested without end'),
      'new\uFFFDline.fra.md': expect.stringMatching(/^1: /),
    })
    expect(warnings).toEqual(
      expect.arrayContaining([
        { file: 'image.fra.md', line: 2, reason: expect.stringContaining('fake.jpg') },
        { file: 'out.fra.md', line: 2, reason: expect.stringContaining('is not beside it') },
      ]),
    )
  })

  it('lists content that is not shown as written, with its line', async () => {
    const text =
      'a\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](page/nulle-part) [z](/read/articles/a)\n\n![z](absent.jpg)'
    const { warnings } = await take({ 'a.fra.md': article('A', '', text) })
    expect(warnings).toEqual([
      { file: 'a.fra.md', line: 7, reason: 'HTML is left out' },
      { file: 'a.fra.md', line: 9, reason: expect.stringContaining('the link to javascript:alert(1)') },
      { file: 'a.fra.md', line: 11, reason: 'there is no picture absent.jpg' },
      { file: 'a.fra.md', line: 9, reason: 'the link to page/nulle-part leads nowhere yet' },
    ])
    const answer = JSON.stringify((await read('articles', 'a')).result)
    expect(answer).not.toMatch(/<script|javascript:|alert/)
  })

  it('V2.2-02 titles in links may have slashes', async () => {
    const text = `[a](vod_asset/${slashed}/Face/Off)\n\n[b](vod_asset/face-off/Face/Off) [c](vod_asset/999999/Face/Off)`
    const { warnings } = await take({ 'a.fra.md': article('A', '', text) })
    expect(warnings).toEqual([
      { file: 'a.fra.md', line: 7, reason: 'the link to vod_asset/999999/Face/Off leads nowhere yet' },
    ])
    const [card, links] = (await read('articles', 'a')).result.content.content
    expect(card).toEqual({ kind: 'card', reference: `vod_asset/${slashed}` })
    expect(links).toMatchObject({ content: [{ address: `vod_asset/${slashed}/Face Off` }, {}, {}] })
  })

  it('follows no links out of its folder', async () => {
    await writeFile(join(folder, 'a.fra.md'), article('A', 'image: passwd.jpg'))
    await symlink('/etc/passwd', join(folder, 'passwd.jpg'))
    await symlink('/etc', join(folder, 'etc'))
    const { problems, warnings } = await importAgain()
    expect(problems.map(({ reason }) => reason)).toEqual(['links are not followed', 'links are not followed'])
    expect(warnings).toMatchObject([{ reason: 'image passwd.jpg is not beside it' }])
  })

  it('runs as a command that reports its progress and the files that it left out', async () => {
    await writeFile(join(folder, 'a.fra.md'), article('A'))
    await writeFile(join(folder, 'b.fra.md'), 'Rien')
    const said: string[] = []
    const control = {
      signal: new AbortController().signal,
      report: ({ text }: { text: string }) => {
        said.push(text)
      },
    }
    const run = async (path: string, options = {}) =>
      await importEditorialCommand.run(
        service.context,
        { arguments: [path], options: { language: 'fra', ...options } },
        control,
      )
    await run(folder)
    expect(said).toContain('0 of 1 texts, now A')
    expect(said).toContainEqual(expect.stringMatching(/^left out: b.fra.md, line 1: /))
    expect(said.at(-1)).toBe('1 texts added, 0 updated, 0 unchanged, 0 withdrawn, 1 problems.')
    await expect(run(join(folder, 'nowhere'))).rejects.toThrow(/There is no folder/)
    await expect(run(join(folder, 'a.fra.md'))).rejects.toThrow(/There is no folder/)
    await expect(run(folder, { language: 'xxx' })).rejects.toThrow(/--language/)
    await expect(run(folder, { storefront: 'nobody' })).rejects.toThrow(/api key nobody/)
  })

  it('refuses invalid names', async () => {
    for (const slug of ['', 'x'.repeat(101), 'a\u0000b'])
      expect((await read('articles', slug)).status).toBe(400)
    for (const slug of ['__proto__', "' or 1=1 --", '../etc', 'éàü', '99999999999999'])
      expect((await read('articles', slug)).status).toBe(404)
    const unknown = await service.call(listEditorial, { type: 'nothing', page: 1, itemsPerPage: 10 })
    expect(unknown.result).toEqual({ items: [], total: 0, section: null })
  })
})
