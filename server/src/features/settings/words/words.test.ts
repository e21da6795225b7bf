import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { Catalogue, CatalogueTexts } from '@ondine/contract/words'
import {
  changeWords,
  diffWords,
  readWords,
  replaceWords,
  restoreWords,
  undoWords,
  wordsHistory,
} from '@ondine/contract/words-calls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { BUNDLED_TEXTS } from './bundled-texts.ts'

describe.each(MAIN_DB)('texts on the %s database', (kind) => {
  let service: TestService
  let operator: Tokens

  beforeAll(async () => {
    service = await startTestService(kind)
    operator = (await buildersOf(service.context).operator('Nour')).tokens
  })
  afterAll(async () => await service.remove())
  // Each test starts with the built-in texts.
  beforeEach(async () => {
    const { id } = service.context.storefronts.first()
    for (const language of ['fra', 'eng', 'ara'] as const) {
      const { revision, set } = service.context.words.stored(id, language)
      if (Object.keys(set).length > 0)
        await service.context.words
          .document(id, language)
          .replace(revision, {}, { author: 'test', reason: '' })
    }
  })

  async function revisionOf(language: 'fra' | 'eng' | 'ara'): Promise<number> {
    return (await service.call(readWords, { language }, operator)).result.revision
  }

  async function set(language: 'fra' | 'eng' | 'ara', texts: Record<string, string | undefined>) {
    const changes = Object.entries(texts).map(([path, value]) => ({ path, value }))
    const revision = await revisionOf(language)
    return await service.call(changeWords, { language, revision, changes, reason: 'a test' }, operator)
  }

  async function file(path: string, headers: Record<string, string> = {}) {
    return await service.app.inject({ url: `/translations/ondine/${path}`, headers })
  }

  async function texts(code: string): Promise<CatalogueTexts> {
    const { id } = service.context.storefronts.first()
    const { address } = service.context.words.state(id, code as 'fra')
    return (await service.app.inject(address)).json<CatalogueTexts>()
  }

  it('V1-14 keeps French punctuation on the line of its words, in every text that viewers read', async () => {
    await set('fra', { 'home.title': 'Que voir ce soir ? « Tout »' })
    const french = Object.values(await texts('fra')).flatMap((group) => Object.values(group))
    expect(french.filter((text) => / [:;?!»]|« /.test(text))).toEqual([])
    expect(french).toContain('Que voir ce soir\u00A0? «\u00A0Tout\u00A0»')
    expect(french.filter((text) => /\u00A0[:;?!»]/.test(text)).length).toBeGreaterThan(20)
    const english = Object.values(await texts('eng')).flatMap((group) => Object.values(group))
    expect(english.filter((text) => text.includes('\u00A0'))).toEqual([])
  })

  it('V3-56 V7-30 serves one file for each language: groups with their translations', async () => {
    for (const [code, title] of [
      ['fra', 'Page introuvable'],
      ['eng', 'Page not found'],
    ] as const) {
      const answer = await file(`${code}.json`)
      expect(answer.statusCode).toBe(200)
      const catalogue = answer.json<Catalogue>()
      expect(catalogue.locale).toEqual({ code, file: `${code}.json` })
      const group = catalogue.groups.find(({ slug }) => slug === 'notFound')
      expect(group).toMatchObject({ id: 'notFound', name: 'Not found', displayOrder: expect.any(Number) })
      expect(group?.translations[0]).toEqual({
        id: 'notFound.title',
        name: 'Title',
        slug: 'title',
        displayOrder: 0,
        value: title,
        description: '',
      })
    }
  })

  it('V3-56 describes the parts of a text that a translator must keep', async () => {
    const { groups } = (await file('fra.json')).json<Catalogue>()
    const home = groups.find(({ slug }) => slug === 'home')
    expect(home?.translations.find(({ slug }) => slug === 'show')?.description).toBe('{{title}}')
  })

  it.each(['deu.json', 'xxx.json', 'fra', 'fra.json.br', '__proto__.json', 'fra.zz.json', '..%2Ffra.json'])(
    'does not find %s',
    async (path) => {
      expect((await file(path)).statusCode).toBe(404)
    },
  )

  it('finds nothing for an unknown storefront', async () => {
    const answer = await service.app.inject('/translations/nobody/fra.json')
    expect(answer.statusCode).toBe(404)
  })

  it('serves texts at an address whose content never changes, compressed if the client accepts that', async () => {
    const { id } = service.context.storefronts.first()
    const before = service.context.words.state(id, 'fra').address
    const plain = await service.app.inject(before)
    expect(plain.headers['cache-control']).toContain('immutable')
    const packed = await service.app.inject({ url: before, headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(plain.body)

    await set('fra', { 'home.title': 'Bonsoir' })
    const after = service.context.words.state(id, 'fra').address
    expect(after).not.toBe(before)
    // A request with the old URL gets the current content, without permission to cache it.
    const late = await service.app.inject(before)
    expect(late.json<CatalogueTexts>().home?.title).toBe('Bonsoir')
    expect(late.headers['cache-control']).not.toContain('immutable')
  })

  it('V1-01 an operator’s change of a text applies at once, in that language only', async () => {
    const { status, result } = await set('fra', { 'home.title': 'Bonsoir' })
    expect(status).toBe(200)
    expect(result.differences).toEqual([{ path: 'home.title', to: 'Bonsoir' }])
    expect((await texts('fra')).home?.title).toBe('Bonsoir')
    expect((await texts('eng')).home?.title).toBe('Home')
    await set('fra', { 'home.title': undefined })
    expect((await texts('fra')).home?.title).toBe('Accueil')
  })

  it('keeps the texts of storefronts separate', async () => {
    await service.context.storefronts.create({ apiKey: 'lagune', name: 'Lagune' })
    await set('fra', { 'home.title': 'Bonsoir' })
    const other = (await service.app.inject('/translations/lagune/fra.json')).json<Catalogue>()
    const home = other.groups.find(({ slug }) => slug === 'home')
    expect(home?.translations.find(({ slug }) => slug === 'title')?.value).toBe('Accueil')
  })

  it.each([
    ['home.nothing', 'x', 'is not a text of the interface'],
    ['home', 'x', 'is not a text of the interface'],
    ['__proto__', 'x', 'is not a text of the interface'],
    ['home.title', '', 'must not be empty'],
    ['home.title', ' ', 'must not be empty'],
    ['home.title', 'a\u0001b', 'has control characters'],
    ['home.title', 'x'.repeat(2001), 'must be at most 2000 characters'],
    ['home.title', 'Bonsoir {{name}}', 'has {{name}}, which is not a placeholder of this text'],
    ['home.show', 'Montrer', 'lacks {{title}}'],
    ['home.show', 'Montrer {{titre}}', 'lacks {{title}}'],
    ['home.show', 'Montrer {{title', 'may contain {{ }} only around the name of a placeholder, and no $t()'],
    [
      'home.show',
      'Montrer {{- title}}',
      'may contain {{ }} only around the name of a placeholder, and no $t()',
    ],
    [
      'home.show',
      '{{title}} $t(home.title)',
      'may contain {{ }} only around the name of a placeholder, and no $t()',
    ],
    ['category.count_other', 'beaucoup', 'lacks {{count}}'],
    // In French, the singular also applies to 0, so the text must contain the number.
    ['category.count_one', 'un titre', 'lacks {{count}}'],
    ['category.count_few', '{{count}} titres', 'is a plural form that the language does not have'],
    ['category.count', '{{count}} titres', 'is not a text of the interface'],
  ])('refuses to set %s to %j: it %s', async (path, value, reason) => {
    const { status, error } = await set('fra', { [path]: value, 'home.now': 'à présent' })
    expect(status).toBe(400)
    const faults = error.details?.fields?.map(({ field, message }) => `${field} ${message}`) ?? []
    expect(faults.join('\n')).toContain(`${path} ${reason}`)
    // No change is applied if one of them is invalid.
    expect((await texts('fra')).home?.now).toBe('en ce moment')
  })

  it('a form that covers one number may spell it out', async () => {
    expect((await set('eng', { 'category.count_one': 'a single title' })).status).toBe(200)
  })

  it('a text may contain markup, which is shown as text', async () => {
    const markup = '<img src=x onerror=alert(1)> & “{{title}}”'
    expect((await set('fra', { 'home.show': markup })).status).toBe(200)
    expect((await texts('fra')).home?.show).toBe(markup)
  })

  it('records who changed a text and when and why, and undoes and restores changes', async () => {
    await set('fra', { 'home.title': 'Bonsoir' })
    const second = await set('fra', { 'home.title': 'Bonjour', 'home.now': 'à présent' })
    const language = 'fra'
    const [newest] = (await service.call(wordsHistory, { language, before: 1000, count: 2 }, operator)).result
    expect(newest).toMatchObject({
      author: 'Nour',
      reason: 'a test',
      madeAt: service.clock.now() / 1000,
      differences: [
        { path: 'home.title', from: 'Bonsoir', to: 'Bonjour' },
        { path: 'home.now', to: 'à présent' },
      ],
    })
    const undone = await service.call(
      undoWords,
      { language, revision: second.result.revision, reason: '' },
      operator,
    )
    expect((await texts('fra')).home).toMatchObject({ title: 'Bonsoir', now: 'en ce moment' })
    await service.call(
      restoreWords,
      { language, revision: undone.result.revision, to: second.result.revision, reason: '' },
      operator,
    )
    expect((await texts('fra')).home).toMatchObject({ title: 'Bonjour', now: 'à présent' })
    const { result } = await service.call(
      diffWords,
      { language, from: second.result.revision - 1, to: second.result.revision },
      operator,
    )
    expect(result.map(({ path }) => path)).toEqual(['home.title', 'home.now'])
  })

  it('refuses the second of two operators who change a language at once', async () => {
    const revision = await revisionOf('fra')
    const change = {
      language: 'fra',
      revision,
      changes: [{ path: 'home.title', value: 'Un' }],
      reason: '',
    } as const
    expect(
      (await service.call(changeWords, { ...change, changes: [...change.changes] }, operator)).status,
    ).toBe(200)
    expect(
      (await service.call(changeWords, { ...change, changes: [...change.changes] }, operator)).status,
    ).toBe(409)
  })

  it('a text stored by another version of the service blocks no change, and is removed by the first one', async () => {
    const { documents, storefronts } = service.context
    const key = { storefrontId: storefronts.first().id, name: 'words-eng' }
    const stored = { 'gone.title': 'Gone', 'home.title': 'Tonight' }
    await documents.save(key, await revisionOf('eng'), stored, { author: 'an earlier version', reason: '' })
    expect((await texts('eng')).home?.title).toBe('Tonight')
    const { status, result } = await set('eng', { 'notFound.title': 'Lost?' })
    expect(status).toBe(200)
    expect(result.differences).toEqual([
      { path: 'gone.title', from: 'Gone' },
      { path: 'notFound.title', to: 'Lost?' },
    ])
    expect((await service.call(readWords, { language: 'eng' }, operator)).result.set).toEqual({
      'home.title': 'Tonight',
      'notFound.title': 'Lost?',
    })
  })

  describe('a file of texts', () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ondine-words-'))
    })
    afterAll(async () => await rm(folder, { recursive: true, force: true }))

    it.each(['fra', 'eng', 'ara'] as const)(
      'that was exported sets nothing when it is imported: %s',
      async (language) => {
        const { missing } = (await service.call(readWords, { language }, operator)).result
        const path = join(folder, `${language}.json`)
        await runCommand(service, 'words export', [language, path])
        const said = await runCommand(service, 'words import', [language, path])
        const count = Object.keys(JSON.parse(await readFile(path, 'utf8')) as object).length
        expect(said).toContain(`Texts of the file that need not be set: ${count}.`)
        const after = (await service.call(readWords, { language }, operator)).result
        expect(after.set).toEqual({})
        expect(after.missing).toEqual(missing)
      },
    )

    it('sets only the texts that were translated or changed, and resets those that are the included ones again', async () => {
      const path = join(folder, 'translated.json')
      await runCommand(service, 'words export', ['ara', path])
      const exported = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
      await writeFile(path, JSON.stringify({ ...exported, 'home.title': 'الرئيسية' }))
      await runCommand(service, 'words import', ['ara', path])
      expect((await service.call(readWords, { language: 'ara' }, operator)).result.set).toEqual({
        'home.title': 'الرئيسية',
      })
      // An editor may write ordinary spaces in place of those that do not break.
      await set('fra', { 'home.title': 'Bonsoir' })
      const included = Object.entries(BUNDLED_TEXTS.fra).find(([, text]) => text.endsWith(' ?')) ?? ['', '']
      await set('fra', { [included[0]]: 'Alors ?' })
      await writeFile(path, JSON.stringify(Object.fromEntries([included])))
      await runCommand(service, 'words import', ['fra', path])
      const kept = (await service.call(readWords, { language: 'fra' }, operator)).result.set
      expect(kept).toMatchObject({ 'home.title': 'Bonsoir' })
      expect(Object.keys(kept)).not.toContain(included[0])
    })
  })

  it('a French text may leave out the number where the included text does', async () => {
    expect((await set('fra', { 'offers.perDays_one': 'chaque jour' })).status).toBe(200)
  })

  it('spec 12: completes a language that an operator adds from the default language', async () => {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const base = configurations.stored(id).revision
    await configurations.change(id, base, [{ path: 'languages.languages', value: ['fra', 'eng', 'ara'] }], {
      author: 'test',
      reason: '',
    })
    const document = {
      'home.title': 'الرئيسية',
      'category.count_zero': 'لا عناوين',
      'category.count_one': 'عنوان واحد',
      'category.count_two': 'عنوانان',
      'category.count_few': '{{count}} عناوين',
      'category.count_other': '{{count}} عنوان',
    }
    const revision = await revisionOf('ara')
    const replaced = await service.call(
      replaceWords,
      { language: 'ara', revision, document, reason: '' },
      operator,
    )
    expect(replaced.status).toBe(200)
    const arabic = await texts('ara')
    expect(arabic.home?.title).toBe('الرئيسية')
    expect(arabic.notFound?.title).toBe('Page introuvable')
    // The catalogue has all plural forms of Arabic. A text's forms are Arabic if the operator has set an Arabic
    // text, else French.
    expect(arabic.category?.count_many).toBe('{{count}} عنوان')
    expect(arabic.kind?.series_one).toBe('Série · {{count}} saison')
    expect(arabic.kind?.series_few).toBe('Série · {{count}} saisons')
    const { missing } = (await service.call(readWords, { language: 'ara' }, operator)).result
    expect(missing).toContain('notFound.title')
    expect(missing).not.toContain('home.title')
    expect((await file('ara.json')).statusCode).toBe(200)
  })
})
