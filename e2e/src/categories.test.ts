import type { CommandInput } from '@ondine/server/control/commands'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { runCommand } from './operator.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

describe('sub-categories', () => {
  const { origin, dataDir } = sharedService()
  const open = testBrowser()
  const configure = testConfiguration()
  const put = async (key: string, options: CommandInput['options']) =>
    await runCommand(dataDir, 'categories put', [key], options)
  const remove = async (key: string) => await runCommand(dataDir, 'categories remove', [key])

  beforeAll(async () => {
    await put('moods', { name: 'Humeurs', position: '90' })
    await put('moods', { name: 'Moods', language: 'eng' })
    for (const genre of ['genre:Drame', 'genre:Poésie']) await put(genre, { under: 'moods' })
    await put('bare', { name: 'Vide', under: 'moods', position: '99' })
  })
  afterAll(async () => {
    for (const genre of ['genre:Drame', 'genre:Poésie']) await put(genre, { top: true })
    await remove('bare')
    await remove('moods')
  })

  it('V3-52 are shown by pictures, as a list of names or as rails, as catalogue.subCategoryLayout says', async () => {
    // Viewers who are not signed in share cached answers and pages for a moment. A page from before the change may
    // still be in the cache, so the test asks until it gets the changed page.
    const served = async () => await (await fetch(new URL('/category', origin))).text()
    await expect.poll(served).toContain('"name":"Humeurs"')
    const { page, complaints } = await open()
    const main = page.getByRole('main')
    await visit(page, '/category')
    await main.getByRole('link', { name: /^Humeurs/ }).click()
    await main.getByRole('heading', { level: 1, name: 'Humeurs' }).waitFor()

    const pictures = main.getByRole('region', { name: 'Dans cette rubrique' })
    await pictures.getByRole('link', { name: /^Drame/ }).waitFor()
    expect(await pictures.getByRole('link', { name: /^Poésie/ }).count()).toBe(1)
    // The titles belong to the sub-categories. The page itself shows no grid of titles, and no message that titles
    // are missing.
    expect(await main.getByText('Aucun titre ici pour l’instant').count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])

    await configure({ 'catalogue.subCategoryLayout': 'list' })
    const names = main.getByRole('navigation', { name: 'Dans cette rubrique' })
    await names.waitFor()
    // The third sub-category is empty, so the list omits it.
    expect(await names.getByRole('link').allTextContents()).toEqual(['Drame', 'Poésie'])
    expect(await pictures.count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])

    await configure({ 'catalogue.subCategoryLayout': 'rails' })
    const rail = main.getByRole('region', { name: 'Poésie' })
    await rail.getByRole('link', { name: /^La Houle/ }).waitFor()
    expect(await names.count()).toBe(0)
    expect(await axeFaults(page)).toEqual([])
    // The server renders the rails too.
    const drawn = await (await page.request.get(page.url(), { headers: { 'accept-language': 'en' } })).text()
    expect(drawn).toContain('La Houle')
    await main
      .getByRole('link', { name: /Poésie/ })
      .first()
      .click()
    await main.getByRole('heading', { level: 1, name: 'Poésie' }).waitFor()
    // There are so few titles that the page links to other categories.
    const others = main.getByRole('navigation', { name: 'Autres rubriques' })
    expect(await axeFaults(page)).toEqual([])
    await others.getByRole('link', { name: 'Films', exact: true }).click()
    await main.getByRole('heading', { level: 1, name: 'Films' }).waitFor()
    expect(complaints).toEqual([])
  })
})
