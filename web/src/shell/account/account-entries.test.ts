import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { describe, expect, test } from 'vitest'
import { ROUTES, type RouteName } from '../../routes.ts'
import { accountEntries, isForChildren } from './account-entries.ts'

type Changes = { [Section in 'navigation' | 'offers' | 'accounts']?: Partial<Configuration[Section]> }

function entries(changes: Changes = {}, isDefaultProfile = true, isChild = false) {
  const { navigation, offers, accounts } = DEFAULT_CONFIGURATION
  const configuration = {
    navigation: { ...navigation, ...changes.navigation },
    offers: { ...offers, ...changes.offers },
    accounts: { ...accounts, ...changes.accounts },
  }
  return accountEntries({ configuration, isDefaultProfile, isChild })
}
const names = (...arguments_: Parameters<typeof entries>) => entries(...arguments_).map(({ name }) => name)

const sso = (accountManagementUrl: string) => ({
  accounts: {
    authentication: {
      ...DEFAULT_CONFIGURATION.accounts.authentication,
      mode: 'sso' as const,
      accountManagementUrl,
    },
  },
})

describe('the account settings', () => {
  test('A2.1-32 contain the configured entries, in order, each with its screen', () => {
    expect(names()).toEqual([
      'favorites',
      'continue',
      'products',
      'informations',
      'security',
      'parental-code',
      'devices',
    ])
    expect(entries()[0]?.target).toEqual({ kind: 'internal', path: '/account/favorites' })
    expect(names({ navigation: { getAccountSettingsMenu: ['security', 'continue'] } })).toEqual([
      'security',
      'continue',
      'devices',
    ])
  })

  test('A2.1-32 always contain the devices, once', () => {
    expect(names({ navigation: { getAccountSettingsMenu: [] } })).toEqual(['devices'])
    expect(names({ navigation: { getAccountSettingsMenu: ['devices', 'devices'] } })).toEqual(['devices'])
  })

  test('A2.1-35 have the parental code only for the default profile', () => {
    expect(names({}, false)).not.toContain('parental-code')
  })

  test('A6-05 show a child its own entries, and none of the account', () => {
    expect(names({}, false, true)).toEqual(['favorites', 'continue'])
    expect(names(sso('https://id.example.org/me'), false, true)).toEqual(['favorites', 'continue'])
    expect(names({ navigation: { getAccountSettingsMenu: ['security'] } }, false, true)).toEqual([])
    const screens = (Object.keys(ROUTES) as RouteName[]).filter((name) => name.startsWith('account'))
    expect(screens.filter(isForChildren)).toEqual(['account-continue', 'account-favorites'])
  })

  test('V1-11 have no parental code without parental control', () => {
    expect(names({ accounts: { isParentalControlEnabled: false } })).not.toContain('parental-code')
  })

  test('A2.1-34 have the products only with the offers screen', () => {
    expect(names({ offers: { isOfferScreenEnable: false } })).not.toContain('products')
  })

  test('A2.1-33 A2.1-20 under single sign-on link to an external address in place of informations and security', () => {
    const list = entries(sso('https://id.example.org/me'))
    expect(list.map(({ name }) => name)).toEqual([
      'favorites',
      'continue',
      'products',
      'parental-code',
      'devices',
      'account-management',
    ])
    expect(list.at(-1)?.target).toEqual({
      kind: 'external',
      url: 'https://id.example.org/me',
      newWindow: true,
    })
    expect(names(sso(''))).not.toContain('account-management')
  })

  test('A2.1-20 have no external management without single sign-on', () => {
    expect(names({ navigation: { getAccountSettingsMenu: ['account-management'] } })).toEqual(['devices'])
  })
})
