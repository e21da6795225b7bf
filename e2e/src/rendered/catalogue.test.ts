import { hierarchy } from '@ondine/contract/catalogue'
import type { Category } from '@ondine/contract/entities'
import { changeScoreAsset } from '@ondine/contract/scores'
import type { CommandInput } from '@ondine/server/control/commands'
import { within } from '@testing-library/dom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../operator.ts'
import { call, findAsset, type KnownAsset } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { callAs } from './viewers.ts'
import { addressesOf, type RenderedPage, textOf, visit } from './visit.ts'

const { origin, dataDir } = sharedService()
const tree = async () => await call(origin, hierarchy, {})

describe('the screens of the catalogue', () => {
  let film: KnownAsset
  let series: Category | undefined

  beforeAll(async () => {
    film = await findAsset(origin, 'La Houle')
    series = (await tree()).flatMap(({ categories }) => categories).find(({ name }) => name === 'Le Métier')
  })

  it.each([
    ['fra', 'Rubriques'],
    ['eng', 'Categories'],
  ])('V2.1-04 /category without a slug shows all categories, in %s', async (language, title) => {
    const page = await visit('/category', { language })
    expect([page.status, page.heading]).toEqual([200, title])
    const links = page.main
      .getAllByRole('link')
      .filter((link) => link.getAttribute('href')?.startsWith('/category/'))
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect(textOf(link).length).toBeGreaterThan(2)
    const [first = ''] = addressesOf(links)
    expect(first).toMatch(/-\d+$/)
    expect((await visit(first, { language })).status).toBe(200)
  })

  it.each([
    ['fra', 'Plus d’infos : ', 'Lecture : '],
    ['eng', 'More info: ', 'Play: '],
  ])('the names of links have the punctuation of %s', async (language, info, play) => {
    for (const address of ['/', '/live']) {
      const page = await visit(address, { language })
      expect(page.main.getAllByRole('link', { name: (name) => name.startsWith(info) })).not.toEqual([])
    }
    const episodes = await visit(series?.detailRoute ?? '', { language, viewer: 'subscriber' })
    expect(episodes.main.getAllByRole('link', { name: (name) => name.startsWith(play) })).not.toEqual([])
  })

  it('V2.1-23 the playlist of the series lists every episode, season by season', async () => {
    const page = await visit('/series')
    expect(page.main.getAllByRole('heading', { name: 'Saison 1 — La chaîne' })).not.toEqual([])
    expect(page.document.querySelectorAll('ol > li').length).toBeGreaterThan(1)
  })

  it('V2.2-14 the catalogue of series has one page, with the choices of a category and all episodes', async () => {
    const home = await visit('/')
    const [entry = ''] = addressesOf([home.bar.getByRole('link', { name: 'Séries' })])
    const page = await visit(entry)
    expect([page.heading, page.address]).toEqual(['Séries', expect.stringMatching(/^\/series\/series-\d+$/)])
    const canonical = page.document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? ''
    expect(new URL(canonical, origin).pathname).toBe(page.address)
    expect(page.main.getAllByText('1 titre')).not.toEqual([])
    page.main.getByRole('navigation', { name: 'Autres rubriques' })
    const headings = within(page.main.getByRole('region', { name: 'Le Métier' })).getAllByRole('heading')
    // The series, its first season and the first episode of this season, below “Tous les épisodes”.
    expect(headings.slice(0, 3).map(({ tagName }) => tagName)).toEqual(['H3', 'H4', 'H5'])
  })

  it('V2.2-13 the number of a season leads to the details of its series, with this season', async () => {
    const season = series?.categories.find(({ isSeason }) => isSeason)
    const page = await visit(`/category/${season?.idCatalog}`)
    expect(page.address).toBe(season?.detailRoute)
    expect(page.address).toContain(`seasonid=${season?.idCatalog}`)
  })

  it.each(['/category/nothing-999999', '/category/nothing', '/series/nothing-999999'])(
    'has no category at %s',
    async (address) => {
      expect((await visit(address)).status).toBe(404)
    },
  )

  it.each([
    ['fra', 'Drame'],
    ['eng', 'Drama'],
  ])('V3-14 a film shows at most six facts, its genres by their names in %s', async (language, name) => {
    const page = await visit(film.detailRoute, { language })
    const facts = [...page.document.querySelectorAll('main dl > div')].map(textOf)
    expect(facts.length).toBeLessThanOrEqual(6)
    expect(facts).toContainEqual(expect.stringMatching(`^Genres.*${name}`))
  })

  it('a title has one score: the published one until viewers have given theirs', async () => {
    const published = (page: RenderedPage) => page.queryAllByText(/^Note : .* sur 5$/).length > 0
    const viewers = (page: RenderedPage) => page.queryAllByText(/Note des spectateurs : /).length > 0
    for (const [address, title] of [
      [film.detailRoute, { idAsset: film.id }],
      [series?.detailRoute ?? '', { idCategory: series?.idCatalog }],
    ] as const) {
      const shown = async () => {
        const page = await visit(address, { viewer: 'subscriber' })
        return { published: published(page), viewers: viewers(page) }
      }
      expect(await shown(), address).toEqual({ published: true, viewers: false })
      await callAs('subscriber', changeScoreAsset, { ...title, score: 2 })
      expect(await shown(), address).toEqual({ published: false, viewers: true })
      await callAs('subscriber', changeScoreAsset, { ...title, score: 0 })
      expect(await shown(), address).toEqual({ published: true, viewers: false })
    }
  })
})

describe('sub-categories', () => {
  const put = async (key: string, options: CommandInput['options']) =>
    await runCommand(dataDir, 'categories put', [key], options)

  beforeAll(async () => {
    await put('moods', { name: 'Humeurs', position: '90' })
    await put('moods', { name: 'Moods', language: 'eng' })
    await put('genre:Drame', { under: 'moods' })
    await put('genre:Poésie', { under: 'moods' })
    await put('bare', { name: 'Vide', under: 'moods', position: '99' })
  })
  afterAll(async () => {
    for (const key of ['genre:Drame', 'genre:Poésie']) await put(key, { top: true })
    for (const key of ['bare', 'moods']) await runCommand(dataDir, 'categories remove', [key])
  })

  it('V2.1-23 the playlist of the series has them, wherever their category is', async () => {
    await put('series', { under: 'moods' })
    try {
      await expect
        .poll(async () => (await tree()).some((root) => root.categories.some(({ isSerie }) => isSerie)))
        .toBe(false)
      const page = await visit('/series')
      expect(page.heading).toBe('Séries')
      page.main.getByRole('region', { name: 'Le Métier' })
    } finally {
      await put('series', { top: true })
    }
  })

  it('V3-06 a category that has become empty keeps its address, and requests no picture', async () => {
    await put('genre:Poésie', { under: 'bare' })
    let address = ''
    await expect
      .poll(async () => {
        address = routeOf(await tree(), 'Vide') ?? ''
        return address
      })
      .not.toBe('')
    await put('genre:Poésie', { under: 'moods' })
    await expect.poll(async () => routeOf(await tree(), 'Vide')).toBeUndefined()

    const page = await visit(address)
    expect(page.heading).toBe('Vide')
    page.main.getByText(/^Aucun titre ici pour l’instant\./)
    expect(page.document.querySelector('meta[property="og:image"]')).toBeNull()
    const pictures = [...page.document.querySelectorAll('img, source, link[as=image], [style*="url("]')]
    expect(pictures.map(({ outerHTML }) => outerHTML).join()).not.toMatch(/imgdata|\/images\//)
  })
})

/** Returns the address of the category with a name, anywhere in a tree. */
function routeOf(tree: readonly Category[], name: string): string | undefined {
  for (const category of tree) {
    const route = category.name === name ? category.detailRoute : routeOf(category.categories, name)
    if (route !== undefined) return route
  }
  return undefined
}
