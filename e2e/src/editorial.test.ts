import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { Installation } from './installation.ts'
import { ondine } from './operator.ts'
import { sharedService } from './shared-service.ts'
import { WRITTEN_SCREENS } from './written-screens.ts'

const LANGUAGES = ['fra', 'eng'] as const

describe('written content', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it.each(LANGUAGES)(
    'in %s has no fault that axe finds, fits every width and logs nothing on the console',
    async (language) => {
      const { page, complaints } = await openPage(browser, origin)
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
      for (const { path } of WRITTEN_SCREENS) {
        await visit(page, path)
        await expectSound(page, path)
      }
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it.each(LANGUAGES)('headlines below pictures are uncut on a tablet, in %s', async (language) => {
    const { page } = await openPage(browser, origin, { viewport: { width: 820, height: 1180 } })
    await page.context().addCookies([{ name: 'language', value: language, url: origin }])
    for (const path of ['/read/articles', '/read/articles/lire-la-mer', '/disciplines/voile']) {
      await visit(page, path)
      const headlines = page.locator('main a[data-headline] span[dir=auto]')
      expect(await headlines.count(), path).toBeGreaterThan(0)
      const cut = await headlines.evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
          .map(({ textContent }) => textContent),
      )
      expect(cut, path).toEqual([])
    }
    await page.context().close()
  })

  it.each([
    [360, 1],
    [600, 2],
    [820, 2],
  ])(
    'V2.1-26 the articles of a discipline have, at %i, this number of columns: %i',
    async (width, columns) => {
      const { page } = await openPage(browser, origin, { viewport: { width, height: 900 } })
      await visit(page, '/disciplines/voile')
      const about = page.getByRole('region', { name: /^À lire\s: Voile$/ }).getByRole('listitem')
      const places = await about.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
      expect(places).toHaveLength(2)
      expect(new Set(places).size).toBe(columns)
      await page.context().close()
    },
  )

  it('the link to the next article is as wide as the articles below it, and a trailer has one caption', async () => {
    const { page } = await openPage(browser, origin, { viewport: { width: 1920, height: 1080 } })
    await visit(page, '/read/articles/lire-la-mer')
    const [near, related] = await Promise.all([
      page.getByRole('navigation', { name: 'Autres articles' }).boundingBox(),
      page.getByRole('region', { name: 'À lire aussi' }).boundingBox(),
    ])
    expect([near?.x, near?.width]).toEqual([related?.x, related?.width])
    const trailer = page.getByRole('figure').filter({ hasText: 'La bande-annonce' })
    expect(await trailer.innerText()).toBe('La bande-annonce')
    await page.context().close()
  })

  it('A7.1-31 a link to a question leads to it and opens it, and the keyboard opens the others', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/page/faq#comment-resilier')
    await page.getByText('Vous gardez l’accès jusqu’à la fin').waitFor()
    const question = page.locator('details', { hasText: 'Que comprend mon abonnement' })
    await question.locator('summary').focus()
    await page.keyboard.press('Enter')
    await question.getByText('Un cadenas signale').waitFor()
    await page.context().close()
  })
})

describe('a service with its own texts', () => {
  let browser: Browser
  let installation: Installation
  let folder: string

  beforeAll(async () => {
    browser = await launchBrowser()
    folder = await mkdtemp(join(tmpdir(), 'ondine-texts-'))
    installation = await Installation.create()
    await installation.start()
  })
  afterAll(async () => {
    await browser.close()
    await installation.remove()
    await rm(folder, { recursive: true })
  })

  const command = async (...args: string[]) => await ondine(installation.dataDir, ...args)

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

    const { page, complaints } = await openPage(browser, installation.origin)
    await visit(page, '/read/articles/hostile')
    await page.getByRole('heading', { level: 1, name: '<script>document.title=1</script>' }).waitFor()
    expect(await page.title()).toContain('<script>')
    expect(
      await page.locator('article').locator('script, [onerror], [onload], a[href^="javascript"]').count(),
    ).toBe(0)
    expect(complaints).toEqual([])

    await rm(join(folder, 'hostile.fra.md'))
    expect(await command('editorial', 'import', folder)).toContain('1 withdrawn')
    // Visitors may share an answer for a moment.
    await expect
      .poll(async () => (await fetch(`${installation.origin}/read/articles/hostile`)).status)
      .toBe(404)
    await page.context().close()
  })

  it('V2.3-05 shows its page to visitors of a private service at home', async () => {
    await writeFile(
      join(folder, 'welcome.fra.md'),
      '---\ntitle: Entrez\ntype: page\n---\nPar ici : [connexion](auth-login).',
    )
    await command('editorial', 'import', folder)
    await command('config', 'set', 'accounts.isPrivateAccessEnabled', 'true')
    await command('config', 'set', 'home.anonymousPage', 'welcome')
    const { page, complaints } = await openPage(browser, installation.origin)
    await visit(page, '/live')
    await page.getByRole('heading', { name: 'Entrez' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.title()).toContain('Entrez')
    await page.getByRole('article').getByRole('link', { name: 'connexion' }).click()
    await page.waitForURL('**/auth/login')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
