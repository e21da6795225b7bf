import { epg } from '@ondine/contract/channels'
import { within } from '@testing-library/dom'
import { describe, expect, it } from 'vitest'
import { call, findChannel } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { addressesOf, type RenderedPage, textOf, visit } from './visit.ts'

describe('search', () => {
  const { origin } = sharedService()

  const search = async (term: string, language?: string) =>
    await visit(`/search/${encodeURIComponent(term)}`, language === undefined ? {} : { language })
  const filters = (page: RenderedPage) => {
    const all = page.queryByRole('navigation', { name: 'Filtrer les résultats' })
    return all === null ? [] : within(all).getAllByRole('link')
  }
  /** Returns the address of a filter. */
  const filter = (page: RenderedPage, name: string) =>
    addressesOf(filters(page).filter((link) => textOf(link) === name))[0] ?? ''
  const articles = (page: RenderedPage) => page.queryByRole('region', { name: 'Magazine' })
  const results = (page: RenderedPage) => page.queryByRole('region', { name: 'Résultats' })
  const said = (page: RenderedPage) => page.getAllByRole('status').map(textOf)

  it('V2.1-18 has the term in its title and in its address, and marks it', async () => {
    const page = await search('la houle')
    expect(page.title).toContain('« la houle »')
    expect(page.html).toContain('La <mark')
  })

  it('a search finds articles too', async () => {
    const found = articles(await search('houle'))
    expect(found).not.toBeNull()
    const [first] = addressesOf(found?.querySelectorAll('a') ?? [])
    expect(first).toMatch(/^\/(?:read|disciplines|page)/)
    // A card names the kind of its text in the singular.
    expect(found?.textContent).toMatch(/Article\s·/)
  })

  it.each(['la', 'métier', 'houle'])(
    'V2.4-22 for %s offers the filters that leave results, and shows one number for all results',
    async (term) => {
      const answer = await fetch(`${origin}/cms/search?term=${encodeURIComponent(term)}`)
      const { counts } = (await answer.json()).result
      const names = {
        all: 'Tout',
        movies: 'Films',
        series: 'Séries',
        lives: 'En direct',
        programs: 'Programmes',
        articles: 'Magazine',
      }
      const page = await search(term)
      const found = counts.all + counts.articles
      const left = Object.entries(names).filter(([filter]) => counts[filter] > 0)
      // If all results are of one kind, the filters would change nothing, so the page has none.
      const isOneKind = left.every(([filter]) => filter === 'all' || counts[filter] === found)
      expect(filters(page).map(textOf)).toEqual(isOneKind ? [] : left.map(([, name]) => name))
      expect(said(page)).toContainEqual(
        expect.stringContaining(found === 1 ? '1 résultat' : `${found} résultats`),
      )
    },
  )

  it('V2.4-22 filters by articles, and omits them with any other filter', async () => {
    const all = await search('houle')
    expect(articles(all)).not.toBeNull()
    const films = await visit(filter(all, 'Films'))
    expect([articles(films), said(films)]).toEqual([null, expect.arrayContaining(['1 résultat'])])
    const magazine = await visit(filter(films, 'Magazine'))
    expect(magazine.address).toBe('/search/houle?type=articles')
    expect(textOf(articles(magazine) ?? magazine.document.body)).toContain('Lire la mer')
    expect(results(magazine)).toBeNull()
    const current = filters(magazine).filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map(textOf)).toEqual(['Magazine'])
  })

  it('names the corrected word after a misspelt search, and offers a way on after an empty one', async () => {
    const corrected = await search('huole')
    expect(corrected.heading).toBe('Résultats pour « houle »')
    corrected.main.getByText(/Aucun résultat pour « huole »\. Voici les résultats pour/)
    corrected.main.getByRole('link', { name: '« houle »' })
    expect(textOf(results(corrected) ?? corrected.document.body)).toContain('La Houle')
    const empty = await search('zzyzx')
    expect(empty.heading).toBe('Aucun résultat pour « zzyzx »')
    const way = empty.main.getByRole('region', { name: 'À voir en ce moment' })
    expect(within(way).getAllByRole('link')).not.toEqual([])
  })

  it.each(['fra', 'eng'])('V3-33 names the channel of a current programme, in %s', async (language) => {
    const { idChannel } = await findChannel(origin, 'Rive')
    const now = Date.now() / 1000
    const start = Math.floor(now) - 3600
    const guide = await call(origin, epg, { start, offset: 0, hours: 2, channelIds: [idChannel] })
    const airing = guide[`chan_${idChannel}`]?.find(({ startutc, endutc }) => startutc <= now && now < endutc)
    for (const term of ['Rive', airing?.title ?? '']) {
      const page = await search(term, language)
      const chips = [...page.document.querySelectorAll('main [class^="channel_"]')].map(textOf)
      expect(chips).toContainEqual(expect.stringContaining('Rive'))
      expect(chips).not.toContain('')
    }
  })

  it('V2.1-18 V2.1-19 leads from a person and a genre of a film to all their titles', async () => {
    const [film = ''] = addressesOf(results(await search('houle'))?.querySelectorAll('a') ?? [])
    expect(film).toMatch(/^\/content\/la-houle-/)
    const person = (await visit(film)).document.querySelector('main dd a')
    const [address = ''] = addressesOf(person === null ? [] : [person])
    expect(address).toMatch(/^\/search\/.*\?searchBy=AD_/)
    const titles = await visit(address)
    expect(titles.heading).toContain(person?.textContent.trim().toLowerCase())
    expect(textOf(results(titles) ?? titles.document.body)).toContain('La Houle')
    const year = await visit('/search/filter/year-2026')
    expect(year.heading).toBe('Année : 2026')
    // A filter's address contains no search term, so the field must stay empty.
    expect(year.document.querySelector('header input[type=search]')?.getAttribute('value') ?? '').toBe('')
    expect((await visit('/search/filter/colour-red')).status).toBe(404)
  })
})
