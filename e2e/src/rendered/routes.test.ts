import { ALIASES, REDIRECTS, ROUTES, type RouteName } from '@ondine/web/routes'
import { beforeAll, describe, expect, it } from 'vitest'
import { OWN, routeAddresses, WAYS_IN } from '../addresses.ts'
import { sharedService } from '../shared-service.ts'
import { visit } from './visit.ts'

const LANGUAGES = ['fra', 'eng'] as const

describe('routes that lead to another one', () => {
  let addresses: Record<RouteName, string>

  beforeAll(async () => {
    addresses = await routeAddresses(sharedService().origin)
  })

  it.each(LANGUAGES)(
    'A2.2-07 screens of an account lead a visitor to the sign-in, in %s',
    async (language) => {
      for (const name of OWN) {
        const page = await visit(addresses[name], { language })
        expect([name, page.status, pathOf(page.address)]).toEqual([name, 200, ROUTES['auth-login']])
        expect(page.heading, name).toBe(language === 'fra' ? 'Se connecter' : 'Sign in')
      }
    },
  )

  it.each(LANGUAGES)('screens of the sign-in lead a signed-in viewer to home, in %s', async (language) => {
    for (const name of WAYS_IN) {
      const page = await visit(addresses[name], { language, viewer: 'subscriber' })
      expect([name, page.status, page.address]).toEqual([name, 200, ROUTES.home])
    }
  })

  it('V2.2-10 A2.1-11 A2.1-26 answers at alternative paths', async () => {
    for (const [name, target] of Object.entries(REDIRECTS) as [RouteName, RouteName][]) {
      const page = await visit(addresses[name], { viewer: 'subscriber' })
      expect([name, page.status, page.address]).toEqual([name, 200, ROUTES[target]])
    }
    expect((await visit(ALIASES['home-alias'], { viewer: 'subscriber' })).address).toBe('/')
    const callback = ALIASES['auth-callback-alias']
    expect((await visit(callback)).address).toBe(callback)
    // Downloads are off until an operator enables them.
    const downloads = await visit(ROUTES['library-downloads'], { viewer: 'subscriber' })
    expect(downloads.address).toBe(ROUTES['library-rentals'])
  })

  it('V2.1-12 shows current programmes at /live-zoom', async () => {
    const page = await visit(ROUTES['live-zoom'])
    const [rive] = page.main.getAllByRole('listitem').filter((each) => each.textContent.includes('Rive'))
    expect(rive?.querySelector('a[href^="/channel/rive-"]')).not.toBeNull()
    const canonical = page.document.querySelector('link[rel=canonical]')?.getAttribute('href')
    expect(canonical).toBe(sharedService().origin + ROUTES.live)
  })

  it('A2.1-13 A2.1-15 A2.1-17 A2.1-19 shows the part of an account that each address names', async () => {
    const own = async (name: RouteName) => await visit(ROUTES[name], { viewer: 'subscriber' })
    const devices = await own('account-devices')
    expect(devices.heading).toBe('Appareils')
    devices.main.getByRole('button', { name: 'Ajouter un téléviseur' })
    const details = await own('account-informations')
    expect(details.heading).toBe('Informations personnelles')
    details.main.getByLabelText(/^Prénom/)
    const code = await own('account-parental-code')
    expect(code.heading).toBe('Code parental')
    code.main.getByLabelText('Nouveau code')
    const security = await own('account-security')
    security.main.getByRole('button', { name: 'Modifier le mot de passe' })
    security.main.getByRole('button', { name: 'Supprimer mon compte' })
  })

  it.each([
    ['suspended', 1],
    ['subscriber', 0],
  ] as const)(
    'A2.1-17 a %s viewer learns in general, or for each plan, what a deletion does not cancel',
    async (viewer, notes) => {
      const { main } = await visit(ROUTES['account-security'], { viewer })
      main.getByRole('button', { name: 'Supprimer mon compte' })
      expect(main.queryAllByText(/boutique d’applications.*Résiliez-le là-bas/)).toHaveLength(notes)
    },
  )
})

function pathOf(address: string): string {
  return address.split('?')[0] ?? ''
}
