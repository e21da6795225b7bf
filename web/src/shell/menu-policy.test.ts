import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { describe, expect, test } from 'vitest'
import { pathOf } from '../features/ground/links/content-link.ts'
import type { RouteName } from '../routes.ts'
import { switchedOff } from './guards.ts'
import { menuItems, openItems } from './menu.ts'
import { mayLeadTo } from './menu-policy.ts'

const READER = {
  signedIn: true,
  isChild: false,
  mayRegister: true,
  isSingleSignOn: false,
  hasDownloads: true,
  switchedOff: [],
  shop: 'here',
  rentalShop: 'here',
} as const
const to = (name: RouteName) => ({ kind: 'internal' as const, path: pathOf(name, { slug: 'x' }) })

describe('entries of menus', () => {
  test('the checkout has no entry in a menu', () => {
    const checkout = to('offers-checkout')
    expect(mayLeadTo(checkout, READER)).toBe(false)
    expect(mayLeadTo({ kind: 'internal', path: `${checkout.path}?from=menu` }, READER)).toBe(false)
  })

  test('V3-45 the downloads have an entry where they are offered, for children too', () => {
    const downloads = to('library-downloads')
    expect(mayLeadTo(downloads, READER)).toBe(true)
    expect(mayLeadTo(downloads, { ...READER, isChild: true })).toBe(true)
    expect(mayLeadTo(downloads, { ...READER, hasDownloads: false })).toBe(false)
    expect(mayLeadTo(downloads, { ...READER, signedIn: false })).toBe(false)
  })

  test('the library redirects to its first screen, for the adults of an account (spec 46)', () => {
    for (const name of ['library', 'library-rentals', 'library-past'] as const) {
      expect(mayLeadTo(to(name), READER), name).toBe(true)
      expect(mayLeadTo(to(name), { ...READER, isChild: true }), name).toBe(false)
      expect(mayLeadTo(to(name), { ...READER, signedIn: false }), name).toBe(false)
    }
  })

  test('the offers and the cart have entries where something is sold, here or elsewhere', () => {
    for (const shop of ['here', 'elsewhere', 'website'] as const) {
      const reader = { ...READER, shop, rentalShop: 'closed' } as const
      expect(mayLeadTo(to('offers'), reader)).toBe(true)
      expect(mayLeadTo(to('offers-details'), reader)).toBe(true)
      expect(mayLeadTo(to('offers-cart'), reader)).toBe(false)
      expect(mayLeadTo(to('offers-cart'), { ...READER, shop: 'closed', rentalShop: shop })).toBe(true)
    }
    expect(mayLeadTo(to('offers'), { ...READER, shop: 'closed' })).toBe(false)
    expect(mayLeadTo(to('offers-confirmation'), READER)).toBe(false)
  })

  test('a visitor sees the sign-in screens and no account, a signed-in viewer the account and no sign-in screens', () => {
    const visitor = { ...READER, signedIn: false }
    for (const own of ['account', 'account-favorites', 'account-informations', 'account-devices'] as const) {
      expect(mayLeadTo(to(own), visitor), own).toBe(false)
      expect(mayLeadTo(to(own), READER), own).toBe(true)
    }
    for (const wayIn of [
      'auth-login',
      'auth-password-forgot',
      'register',
      'register-informations',
    ] as const) {
      expect(mayLeadTo(to(wayIn), visitor), wayIn).toBe(true)
      expect(mayLeadTo(to(wayIn), READER), wayIn).toBe(false)
    }
    expect(mayLeadTo(to('register'), { ...visitor, mayRegister: false })).toBe(false)
    expect(mayLeadTo(to('auth-login'), { ...visitor, mayRegister: false })).toBe(true)
  })

  test('a child sees its lists and recordings, and nothing else of the account', () => {
    const child = { ...READER, isChild: true }
    for (const own of [
      'account-favorites',
      'library-completed-records',
      'library-scheduled-records',
    ] as const)
      expect(mayLeadTo(to(own), child), own).toBe(true)
    for (const own of ['account', 'account-devices', 'account-informations', 'account-security'] as const)
      expect(mayLeadTo(to(own), child), own).toBe(false)
  })

  test('A2.1-32 under single sign-on no entry leads to details and password', () => {
    const reader = { ...READER, isSingleSignOn: true }
    expect(mayLeadTo(to('account-informations'), reader)).toBe(false)
    expect(mayLeadTo(to('account-security'), reader)).toBe(false)
    expect(mayLeadTo(to('account-devices'), reader)).toBe(true)
  })

  test('V2.3-01 V2.3-02 V2.3-04 V1-11 no entry leads to a screen that is switched off', () => {
    const { accounts, guide } = DEFAULT_CONFIGURATION
    const off = { pageActivation: false }
    const closed = {
      ...DEFAULT_CONFIGURATION,
      accounts: { ...accounts, isParentalControlEnabled: false },
      guide: {
        ...guide,
        channelEventsGuideConfiguration: { ...guide.channelEventsGuideConfiguration, ...off },
        epgGridConfiguration: { ...guide.epgGridConfiguration, ...off },
        liveEventsGuideConfiguration: { ...guide.liveEventsGuideConfiguration, ...off },
      },
    }
    for (const configuration of [DEFAULT_CONFIGURATION, closed]) {
      const reader = { ...READER, switchedOff: switchedOff(configuration) }
      const isOpen = configuration === DEFAULT_CONFIGURATION
      for (const name of [
        'epg',
        'live-events-guide-slug',
        'channel-events-guide-slug',
        'account-parental-code',
      ] as const)
        expect(mayLeadTo(to(name), reader), name).toBe(isOpen)
      for (const name of ['live', 'channel-slug', 'epg-slug', 'account-devices'] as const)
        expect(mayLeadTo(to(name), reader), name).toBe(true)
    }
  })

  test('external addresses, and addresses without a screen, are unchanged', () => {
    expect(mayLeadTo({ kind: 'external', url: 'https://example.org/offers', newWindow: true }, READER)).toBe(
      true,
    )
    expect(mayLeadTo({ kind: 'internal', path: '/nowhere/at/all' }, READER)).toBe(true)
  })

  test('an entry without open targets is removed, an entry with an open child is not', () => {
    const link = (title: string, reference: string) => ({ id: title, title, reference, image: '' })
    const items = menuItems(
      [
        {
          title: 'Boutique',
          reference: 'offers-checkout',
          image: '',
          content: [link('Paiement', 'offers-checkout')],
        },
        {
          title: 'Compte',
          reference: '',
          image: '',
          content: [link('Téléchargements', 'library-downloads'), link('Appareils', 'account-devices')],
        },
      ],
      'footer',
    )
    expect(
      openItems(items, { ...READER, hasDownloads: false }).map(({ title, children }) => [
        title,
        children.map((each) => each.title),
      ]),
    ).toEqual([['Compte', ['Appareils']]])
  })
})
