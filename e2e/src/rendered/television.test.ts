import { epg, listChannels } from '@ondine/contract/channels'
import { addFavoriteChannel, removeFavoriteChannel } from '@ondine/contract/favourites'
import { within } from '@testing-library/dom'
import { describe, expect, it } from 'vitest'
import { call, findChannel } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { callAs } from './viewers.ts'
import { textOf, visit } from './visit.ts'

describe('television', () => {
  const { origin } = sharedService()

  it('V2.1-07 the guide comes from the server with its first programmes, and every channel in it', async () => {
    const page = await visit('/epg')
    page.main.getByRole('grid')
    expect(page.document.querySelector('main a[href^="/epg/"]')).not.toBeNull()
    for (const { detailRoute } of await call(origin, listChannels, {}))
      expect(page.document.querySelector(`main a[href="${detailRoute}"]`), detailRoute).not.toBeNull()
  })

  it('V2.1-13 the screen of live events shows current programmes, and at least the programmes that begin within the hour', async () => {
    const channels = await call(origin, listChannels, {})
    const now = Math.floor(Date.now() / 1000)
    const guide = await call(origin, epg, { start: now, offset: 0, hours: 1 })
    const following = Object.values(guide).filter((programmes) =>
      programmes.some(({ startutc }) => startutc > now),
    )
    const page = await visit('/live-events/all')
    expect(page.heading).toBe('En ce moment')
    const shown = textOf(page.document.querySelector('main') ?? page.document.body)
    for (const { name } of channels) expect(shown).toContain(name)
    const next = shown.match(/Ensuite à \d\d:\d\d/g) ?? []
    expect(next.length).toBeGreaterThanOrEqual(following.length)
    expect(next.length).toBeLessThanOrEqual(channels.length)
    expect((await visit('/live-events/nowhere')).status).toBe(404)
  })

  it('A2.1-14 V3-27 the list of favourite channels comes from the server with their current programmes', async () => {
    const { id, detailRoute } = await findChannel(origin, 'Rive')
    await callAs('subscriber', addFavoriteChannel, { idChannel: id })
    try {
      // The programme may end between the call and the visit.
      await expect
        .poll(async () => {
          const now = Math.floor(Date.now() / 1000)
          const guide = await call(origin, epg, { start: now, offset: 0, hours: 1, channelIds: [id] })
          const { title } =
            Object.values(guide)
              .flat()
              .find(({ startutc, endutc }) => startutc <= now && now < endutc) ?? {}
          const { main } = await visit('/account/favorites', { viewer: 'subscriber' })
          const [card] = main
            .getAllByRole('link')
            .filter((link) => link.getAttribute('href') === detailRoute)
            .map(textOf)
          return title !== undefined && card?.includes(title)
        })
        .toBe(true)
    } finally {
      await callAs('subscriber', removeFavoriteChannel, { idChannel: id })
    }
  })

  it('V1-08 marks programmes that can be started over for viewers who may watch them, and for no others', async () => {
    const { detailRoute } = await findChannel(origin, 'Rive')
    const mark = 'Disponible depuis le début'
    const day = async (visitor?: 'subscriber') => {
      const page = await visit(detailRoute, visitor === undefined ? {} : { viewer: visitor })
      return within(page.main.getByRole('region', { name: 'Aujourd’hui sur Rive' }))
    }
    const live = (all: Element[]) => all.filter((each) => each.textContent.includes('Direct'))
    const visitors = await day()
    expect(live(visitors.getAllByRole('listitem'))).toHaveLength(1)
    expect(visitors.queryByTitle(mark)).toBeNull()
    const [airing] = live((await day('subscriber')).getAllByRole('listitem'))
    expect(airing?.querySelector(`[title="${mark}"]`)).not.toBeNull()
  })
})
