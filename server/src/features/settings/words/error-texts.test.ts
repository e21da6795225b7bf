import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ERRORS } from '@ondine/contract/errors'
import type { Catalogue, CatalogueTexts } from '@ondine/contract/words'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'

/** The text of the error that `asked` gets. */
const { code, text } = ERRORS.invalidInput
const PATH = `errors.error${-code}`

describe.each(MAIN_DB)('the texts of errors on the %s database', (kind) => {
  let service: TestService
  let folder = ''

  beforeAll(async () => {
    service = await startTestService(kind)
    await service.context.storefronts.create({ apiKey: 'lagune', name: 'Lagune', hosts: ['lagune.example'] })
    folder = await mkdtemp(join(tmpdir(), 'words-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    await service.remove()
  })

  /** Makes a call with missing fields, and returns the message of its error. */
  async function asked(language: string, apiKey = 'ondine'): Promise<string> {
    const answer = await service.app.inject({
      url: `/proxy/listAssetTags?languageId=${language}`,
      headers: { 'x-identity-key': apiKey },
    })
    const { error } = answer.json<{ error: { code: number; message: string } }>()
    expect(error.code).toBe(code)
    return error.message
  }

  const words = async (name: string, args: string[], options = {}) =>
    await runCommand(service, `words ${name}`, args, options)

  it('V2.4-23 an operator replaces the text of an error in one storefront and language, and undoes it', async () => {
    expect(await asked('eng')).toBe(text.eng)
    await words('set', ['eng', PATH, 'Please check what you typed.'])
    expect(await asked('eng')).toBe('Please check what you typed.')
    expect(await asked('fra')).toBe(text.fra)
    expect(await asked('eng', 'lagune')).toBe(text.eng)
    await words('set', ['eng', PATH, 'Lagoon'], { storefront: 'lagune' })
    expect([await asked('eng'), await asked('eng', 'lagune')]).toEqual([
      'Please check what you typed.',
      'Lagoon',
    ])
    await words('undo', ['eng'])
    expect([await asked('eng'), await asked('eng', 'lagune')]).toEqual([text.eng, 'Lagoon'])
  })

  it('V2.4-23 a call that names no storefront gets the texts of the first one', async () => {
    await words('set', ['eng', `errors.error${-ERRORS.unknownStorefront.code}`, 'Who are you?'])
    for (const headers of [{}, { 'x-identity-key': 'nobody' }]) {
      const answer = await service.app.inject({ url: '/translations/nobody/eng.json', headers })
      expect(answer.json()).toMatchObject({ error: { message: ERRORS.notFound.text.fra } })
    }
    const answer = await service.app.inject({
      url: '/proxy/listAssetTags?languageId=eng',
      headers: { 'x-identity-key': 'nobody' },
    })
    expect(answer.json()).toMatchObject({ error: { message: 'Who are you?' } })
  })

  it('V2.4-23 a call without an API key gets the texts of the storefront that its host shows', async () => {
    await words('set', ['fra', PATH, 'Vase'], { storefront: 'lagune' })
    const said = async (url: string, headers: Record<string, string>) =>
      (await service.app.inject({ url, headers })).json<{ error: { message: string } }>().error.message
    // The second address cannot be parsed.
    for (const url of ['/proxy/listAssetTags', '/%zz']) {
      expect(await said(url, { host: 'Lagune.example:8080' })).toBe('Vase')
      expect(await said(url, { host: 'elsewhere.example' })).toBe(text.fra)
      expect(await said(url, { host: 'lagune.example', 'x-identity-key': 'ondine' })).toBe(text.fra)
    }
  })

  it('V2.4-23 the text of an error may have the code, and no other placeholder', async () => {
    await words('set', ['fra', PATH, 'Saisie refusée : {{code}}, oui, {{code}}.'])
    // A French text gets its no-break spaces, as every text does.
    expect(await asked('fra')).toBe('Saisie refusée\u00A0: 400, oui, 400.')
    await expect(words('set', ['fra', PATH, 'Refusé {{field}}'])).rejects.toThrow(
      `${PATH}: has {{field}}, which is not a placeholder of this text`,
    )
    await expect(words('set', ['fra', PATH, 'Refusé {{code'])).rejects.toThrow(PATH)
    await expect(words('set', ['fra', 'home.title', 'Accueil {{code}}'])).rejects.toThrow('home.title')
    expect(await asked('fra')).toContain('Saisie refusée')
    await words('unset', ['fra', PATH])
    expect(await asked('fra')).toBe(text.fra)
  })

  it.each(['fra', 'eng'] as const)(
    'V2.4-23 V3-56 the export and the catalogue in %s have the text of each code, the file of pages only the few that pages show on their own',
    async (language) => {
      const { context, app } = service
      const paths = Object.values(ERRORS).map((error) => `errors.error${Math.abs(error.code)}`)
      const file = join(folder, `${language}.json`)
      await words('export', [language, file], { storefront: 'lagune' })
      const written: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
      expect(paths.filter((path) => !written[path])).toEqual([])
      for (const error of Object.values(ERRORS))
        if (error.code !== code) expect(written[`errors.error${-error.code}`]).toBe(error.text[language])

      const { groups } = (await app.inject(`/translations/lagune/${language}.json`)).json<Catalogue>()
      const ids = groups.flatMap(({ translations }) => translations.map(({ id }) => id))
      expect(paths.filter((path) => !ids.includes(path))).toEqual([])

      const { id } = context.storefronts.of('lagune') ?? context.storefronts.first()
      const { address } = context.words.state(id, language)
      const loaded = Object.keys((await app.inject(address)).json<CatalogueTexts>().errors ?? {})
      expect(loaded.filter((name) => /^error\d/.test(name)).sort()).toEqual([
        'error429',
        'error5',
        'error503',
        'error911',
      ])
      expect(loaded).toContain('title')
    },
  )

  it('V2.4-23 an imported translation of an error is answered, other texts come from the default language', async () => {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const base = configurations.stored(id).revision
    // The storefront does not have the language yet.
    expect(await asked('deu')).toBe(text.fra)
    await configurations.change(
      id,
      base,
      [
        { path: 'languages.languages', value: ['eng', 'deu'] },
        { path: 'languages.default', value: 'eng' },
      ],
      { author: 'test', reason: '' },
    )
    expect(await asked('deu')).toBe(text.eng)
    const file = join(folder, 'deu.json')
    await writeFile(file, JSON.stringify({ [PATH]: 'Bitte prüfen Sie Ihre Angaben ({{code}}).' }))
    await words('import', ['deu', file])
    expect(await asked('deu')).toBe('Bitte prüfen Sie Ihre Angaben (400).')
  })

  it('V2.4-23 a text of an error that pages show on their own has its code there too', async () => {
    const { id } = service.context.storefronts.first()
    await words('set', ['eng', 'errors.error911', 'Not this code ({{code}}).'])
    const { address } = service.context.words.state(id, 'eng')
    const loaded = (await service.app.inject(address)).json<CatalogueTexts>()
    expect(loaded.errors?.error911).toBe('Not this code (911).')
  })

  it('V2.4-23 a changed text of an error changes the tag of the catalogue', async () => {
    const tag = async () => (await service.app.inject('/translations/ondine/eng.json')).headers.etag
    const before = await tag()
    await words('set', ['eng', PATH, 'Something else'])
    expect(await tag()).not.toBe(before)
  })
})
