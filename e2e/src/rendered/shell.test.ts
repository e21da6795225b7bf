import { ROUTES } from '@ondine/web/routes'
import { within } from '@testing-library/dom'
import { describe, expect, it } from 'vitest'
import { findAsset, findChannel } from '../service-calls.ts'
import { sharedService } from '../shared-service.ts'
import { testConfiguration } from '../test-browser.ts'
import { cookiesOf, type Viewer } from './viewers.ts'
import { addressesOf, textOf, visit } from './visit.ts'

describe('the shell', () => {
  const configure = testConfiguration()
  const { origin } = sharedService()

  it('V2.4-02 marks the entry that a page belongs to', async () => {
    const film = await findAsset(origin, 'La Houle')
    const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
    const { detailRoute } = await findChannel(origin, 'Rive')
    for (const [address, title] of [
      [film.detailRoute, 'Films'],
      [episode.detailRoute, 'Séries'],
      [detailRoute, 'Direct'],
      [`${detailRoute}/epg`, 'Direct'],
    ] as const) {
      const { document } = await visit(address)
      const marked = [...document.querySelectorAll('header nav [data-status=active]')].map(textOf)
      expect(new Set(marked), address).toEqual(new Set([title]))
    }
  })

  it('has no link to lists for a visitor, and a link to the own list in the bar for a signed-in viewer', async () => {
    const visitor = await visit('/live')
    expect(visitor.bar.getAllByRole('link', { name: 'Guide' })).not.toEqual([])
    expect(visitor.bar.queryByRole('link', { name: 'Ma liste' })).toBeNull()
    const viewer = await visit('/live', { viewer: 'subscriber' })
    const list = viewer.bar.getAllByRole('link', { name: 'Ma liste' })
    expect(addressesOf(list)).toContain(ROUTES['account-favorites'])
  })

  it.each([undefined, 'subscriber'] as const)(
    'no menu leads a viewer to a closed screen: %s',
    async (viewer) => {
      const cookie = viewer === undefined ? '' : await cookiesOf(viewer)
      const closed = async () => {
        const addresses = new Set<string>()
        for (const screen of ['/account/devices', '/live']) {
          const { document } = await visit(screen, viewer === undefined ? {} : { viewer })
          const links = document.querySelectorAll(
            'header a[href^="/"], nav a[href^="/"], footer a[href^="/"]',
          )
          for (const address of addressesOf(links)) addresses.add(address)
        }
        expect(addresses.size).toBeGreaterThan(5)
        const found: string[] = []
        for (const address of addresses) {
          const answer = await fetch(origin + address, { headers: { cookie } })
          await answer.body?.cancel()
          if (answer.status >= 400) found.push(address)
        }
        return found
      }
      // Viewers who are not signed in share a cached page for a moment. Its menu may still contain a category that
      // another test has removed.
      await expect.poll(closed).toEqual([])
    },
  )

  it('V2.4-08 V2.4-09 has a bar for the landing page and one for the registration, and none where an e-mail is verified or the player is open', async () => {
    const barOf = (document: Document) => document.querySelector('header')?.getAttribute('data-bar')
    expect(barOf((await visit('/landing')).document)).toBe('landing')
    const registration = await visit('/register')
    expect(registration.address).toBe('/register/informations')
    expect(barOf(registration.document)).toBe('registration')
    expect(registration.bar.getAllByRole('listitem')).toHaveLength(4)
    const step = registration.document.querySelector('[aria-current="step"]')
    expect(step?.textContent).toContain('Vos informations')
    for (const without of ['/verify-email', '/receiver'])
      expect((await visit(without)).document.querySelector('header'), without).toBeNull()
    const player = await visit('/player', { viewer: 'subscriber' })
    expect(player.address).toBe('/player')
    expect(player.document.querySelector('header')).toBeNull()
  })

  it('V2.4-01 V2.1-17 has the usual layout, and a separate one for the cast receiver', async () => {
    expect((await visit('/live')).document.querySelectorAll('body header:not(main header)').length).toBe(1)
    const receiver = await visit('/receiver')
    const layout = receiver.document.querySelector<HTMLElement>('[data-layout="receiver"]')
    expect(layout?.textContent).toContain('Prêt à diffuser')
    expect(receiver.document.querySelector('header, footer')).toBeNull()
  })

  it('V2.4-10 A6-02 shows below the page sign-in links to a visitor, the account to a subscriber, and neither to a child', async () => {
    const accountLinks = async (viewer?: Viewer) => {
      const { footer } = await visit('/live', viewer === undefined ? {} : { viewer })
      footer.getByRole('navigation', { name: 'Découvrir' })
      const account = footer.queryByRole('navigation', { name: 'Compte' })
      return account === null ? [] : within(account).getAllByRole('link').map(textOf)
    }
    expect(await accountLinks()).toEqual(['Se connecter', 'Créer un compte', 'Offres'])
    expect(await accountLinks('subscriber')).toEqual([
      'Informations personnelles',
      'Sécurité',
      'Appareils',
      'Offres',
    ])
    expect(await accountLinks('child')).toEqual([])
    await configure({ 'accounts.isAllowedToRegister': false })
    expect(await accountLinks()).toEqual(['Se connecter', 'Offres'])
  })

  it('A2.1 the details begin with the two names, then the address; they show the reference for support', async () => {
    const page = await visit('/account/informations', { viewer: 'subscriber' })
    const form = page.main.getByRole('form', { name: 'Informations personnelles' })
    const names = [...form.querySelectorAll('input[name]')].map((field) => field.getAttribute('name'))
    expect(names.slice(0, 3)).toEqual(['firstName', 'lastName', 'email'])
    const help = page.main.getByRole('region', { name: 'Assistance' })
    expect(textOf(help)).toMatch(/référence client : \d{8}\./)
    expect(page.document.querySelector('main header')?.textContent).not.toContain('Référence')
  })
})
