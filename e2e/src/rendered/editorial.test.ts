import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { editorialData } from '@ondine/contract/editorial'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Installation } from '../installation.ts'
import { ondine } from '../operator.ts'
import { call } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { WRITTEN_SCREENS } from '../written-screens.ts'
import { addressesOf, type RenderedPage, textOf, visit } from './visit.ts'

const LANGUAGES = ['fra', 'eng'] as const

describe('written content', () => {
  const structuredData = (page: RenderedPage) =>
    JSON.parse(page.document.querySelector('script[type="application/ld+json"]')?.textContent ?? '{}')

  it.each(LANGUAGES)(
    'V2.1-14 V2.1-20 V2.1-21 V2.1-22 V2.1-25 V2.1-26 every screen comes from the server in %s',
    async (language) => {
      for (const screen of WRITTEN_SCREENS) {
        const { status, heading, title } = await visit(screen.path, { language })
        expect([screen.path, status, heading]).toEqual([screen.path, 200, screen[language]])
        expect(title.startsWith(`${heading} · `), screen.path).toBe(true)
      }
    },
  )

  it.each(LANGUAGES)('the legal notice of the demonstration has text, in %s', async (language) => {
    const page = await visit('/legal', { language })
    expect(textOf(page.document.querySelector('main') ?? page.document.body).length).toBeGreaterThan(400)
    expect(page.main.getAllByRole('heading', { level: 2 }).length).toBeGreaterThan(1)
  })

  it('V2.4-25 an article describes itself in its head, with structured data', async () => {
    const page = await visit('/read/articles/lire-la-mer')
    const type = page.document.querySelector('meta[property="og:type"]')
    expect(type?.getAttribute('content')).toBe('article')
    const canonical = page.document.querySelector('link[rel=canonical]')
    expect(canonical?.getAttribute('href')).toMatch(/\/read\/articles\/lire-la-mer$/)
    expect(structuredData(page)).toMatchObject({
      '@type': 'Article',
      headline: 'Lire la mer',
      inLanguage: 'fr',
    })
    expect(structuredData(await visit('/page/faq'))['@type']).toBe('FAQPage')
  })

  it.each([
    ['fra', 'Le magazine'],
    ['eng', 'The magazine'],
  ])('home has a rail of articles in %s', async (language, title) => {
    const page = await visit('/', { language })
    const rail = page.main.getByRole('region', { name: title })
    expect(addressesOf(rail.querySelectorAll('a'))).toContain('/read/articles/lire-la-mer')
  })

  it.each([
    '/read/nothing',
    '/read/articles/nothing',
    '/page/nothing',
    '/nothing',
    '/disciplines/nothing',
    '/read/articles?page=99',
  ])('V2.1-27 the address %s without a text is a 404', async (path) => {
    expect((await visit(path)).status).toBe(404)
  })

  it('V2.2-08 an article is found by its number, and has one address', async () => {
    const { content } = await call(sharedService().origin, editorialData, {
      type: 'articles',
      slug: 'lire-la-mer',
    })
    expect((await visit(`/read/articles/${content.id}`)).address).toBe('/read/articles/lire-la-mer')
  })

  it('V2.2-02 V2.2-15 links of an article lead to films, articles and disciplines', async () => {
    const follow = async (page: RenderedPage, name: RegExp, address: RegExp) => {
      const [way = ''] = addressesOf(page.main.getAllByRole('link', { name }))
      expect(way).toMatch(address)
      const next = await visit(way)
      expect([way, next.status]).toEqual([way, 200])
      return next
    }
    const article = await follow(
      await visit('/read/articles'),
      /Lire la mer/,
      /^\/read\/articles\/lire-la-mer$/,
    )
    await follow(article, /La Houle/, /^\/content\/la-houle-\d+$/)
    const discipline = await follow(article, /^Voile$/, /^\/disciplines\/voile$/)
    await follow(discipline, /Nuits d’écume/, /^\/read\/festival\/nuits-d-ecume$/)
  })
})

describe('a service with its own texts', () => {
  let installation: Installation
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    installation = await Installation.create()
    await installation.start()
  })
  afterAll(async () => {
    await installation.remove()
    await rm(folder, { recursive: true })
  })

  const command = async (...args: string[]) => await ondine(installation.dataDir, ...args)

  it('has the styles of a home without titles in its page', async () => {
    const { document } = await visit(`${installation.origin}/`)
    // `visit` parses the page without its styles.
    const written = await (await fetch(installation.origin)).text()
    const sea = document.querySelector('main svg[preserveAspectRatio]')
    const drawn = [sea, sea?.parentElement].flatMap((each) => [...(each?.classList ?? [])])
    expect(drawn).toHaveLength(2)
    for (const name of drawn) expect(written).toContain(`.${name}{`)
  })

  it('imports them by command, and shows hostile ones as harmless text', async () => {
    await writeFile(
      join(folder, 'hostile.fra.md'),
      [
        '---',
        'title: "<script>document.title=1</script>"',
        'description: "</script><img src=x onerror=document.title=1>"',
        'author: "<b>A</b>"',
        '---',
        '<script>document.title = 1</script>',
        '',
        'Un <img src=x onerror="document.title=1"> [lien](javascript:document.title=1) [autre](/live "><script>")',
        '',
        '## <svg/onload=document.title=1>',
      ].join('\n'),
    )
    await writeFile(join(folder, 'bad.fra.md'), 'Rien')
    const said = await command('editorial', 'import', folder)
    expect(said).toContain('left out: bad.fra.md, line 1')
    expect(said).toContain('hostile.fra.md, line 6: HTML is left out')
    expect(said).toContain('1 texts added')

    const address = `${installation.origin}/read/articles/hostile`
    const page = await visit(address)
    expect(page.heading).toBe('<script>document.title=1</script>')
    expect(page.title).toContain('<script>')
    page.getByRole('article')
    const { document } = page
    expect(
      document.querySelectorAll('[onerror], [onload], [href^="javascript"], article script'),
    ).toHaveLength(0)
    // The scripts of the page contain data. No text of this data may end a script and begin another script.
    const scripts = [...document.querySelectorAll('script')].map((each) => each.textContent.trim())
    expect(scripts.filter((text) => text.startsWith('document.title'))).toEqual([])
    expect(document.querySelector('img[src="x"]')).toBeNull()

    await rm(join(folder, 'hostile.fra.md'))
    expect(await command('editorial', 'import', folder)).toContain('1 withdrawn')
    // Viewers who are not signed in share a cached answer for a moment, so the article may still be there at first.
    await expect.poll(async () => (await visit(address)).status).toBe(404)
  })

  it('spec 42: its questions link to its page for help, once there is one', async () => {
    const links = async () => {
      const { main } = await visit(`${installation.origin}/page/faq`)
      return addressesOf(main.queryAllByRole('link', { name: 'Consultez l’aide.' }))
    }
    expect(await links()).toEqual([])
    await writeFile(join(folder, 'help.fra.md'), '---\ntitle: Aide\ntype: page\n---\nBonjour.')
    await command('editorial', 'import', folder)
    // Viewers who are not signed in share a cached answer for a moment.
    await expect.poll(links).toEqual(['/help'])
  })

  it('V2.2-02 V2.2-05 V2.2-06 its links may have titles with slashes, sections and fragments', async () => {
    await writeFile(
      join(folder, 'links.fra.md'),
      '---\ntitle: Liens\n---\n[film](ondine-content:vod_asset/12/Face/Off) [questions](page/faq#ou) ' +
        '[rubrique](editorial_section/articles/lire-la-mer)',
    )
    await command('editorial', 'import', folder)
    const { main } = await visit(`${installation.origin}/read/articles/links`)
    expect(addressesOf(main.getAllByRole('link', { name: /^(film|questions|rubrique)$/ }))).toEqual([
      '/content/face-off-12',
      '/page/faq#ou',
      '/read/articles/lire-la-mer',
    ])
  })

  it('V2.3-05 shows its page to visitors of a private service at home', async () => {
    await writeFile(
      join(folder, 'welcome.fra.md'),
      '---\ntitle: Entrez\ntype: page\n---\nPar ici : [connexion](auth-login).',
    )
    await command('editorial', 'import', folder)
    await command('config', 'set', 'accounts.isPrivateAccessEnabled', 'true')
    await command('config', 'set', 'home.anonymousPage', 'welcome')
    const page = await visit(`${installation.origin}/live`)
    expect([page.address.split('?')[0], page.heading]).toEqual(['/', 'Entrez'])
    expect(page.title).toContain('Entrez')
    const article = page.getByRole('article')
    expect(addressesOf(article.querySelectorAll('a')).map((each) => each.split('?')[0])).toEqual([
      '/auth/login',
    ])
    expect(page.getAllByRole('link', { name: 'Se connecter' })[0]?.getAttribute('href')).toBe(
      '/auth/login?back=%2Flive',
    )
  })

  it('V2.3-05 without this page, every screen leads to the sign-in, and from there to the requested address', async () => {
    await command('config', 'set', 'home.anonymousPage', 'wellcome')
    for (const [path, query] of [
      ['/live', '?back=%2Flive'],
      ['/', ''],
      ['/a/b?c=d', '?back=%2Fa%2Fb%3Fc%3Dd'],
    ] as const) {
      const page = await visit(`${installation.origin}${path}`)
      expect([path, page.status, page.address]).toEqual([path, 200, `/auth/login${query}`])
    }
  })
})
