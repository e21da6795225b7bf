import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { profileEntries } from './profile-entries.ts'

type Changes = { [Section in 'navigation' | 'offers' | 'accounts']?: Partial<Configuration[Section]> }

function entries(changes: Changes = {}, isChild = false, isMultiProfile = true, isNative = false) {
  const { navigation, offers, accounts } = DEFAULT_CONFIGURATION
  const configuration = {
    navigation: { ...navigation, ...changes.navigation },
    offers: { ...offers, ...changes.offers },
    accounts: { ...accounts, ...changes.accounts },
  }
  return profileEntries({ configuration, isDefaultProfile: true, isChild }, isMultiProfile, isNative)
}
const names = (...given: Parameters<typeof entries>) => entries(...given).map(({ name }) => name)

/** Returns a profile menu as an operator would configure it. */
function menu(items: string[], own: Record<string, { url: string; title: Record<string, string> }> = {}) {
  return {
    navigation: { getMenuProfile: { items, ...own } as Configuration['navigation']['getMenuProfile'] },
  }
}

test('V2.4-16 contains the entries in their order', () => {
  expect(names()).toEqual(['switch-profile', 'settings', 'library', 'logout'])
  expect(names({}, false, false)).toEqual(['update-profile', 'settings', 'library', 'logout'])
})

test.each([
  [true, 'switch-profile'],
  [false, 'update-profile'],
])(
  'V2.4-16 a session from an older service follows the configuration, %s',
  (isMultiProfileEnabled, first) => {
    const { navigation, offers, accounts } = DEFAULT_CONFIGURATION
    const configuration = { navigation, offers, accounts: { ...accounts, isMultiProfileEnabled } }
    const conditions = { configuration, isDefaultProfile: true, isChild: false }
    expect(profileEntries(conditions, undefined, false)[0]).toEqual({ name: first })
  },
)

test('V2.4-16 settings leads to the first account setting', () => {
  const settings = (list: Configuration['navigation']['getAccountSettingsMenu']) =>
    entries({ navigation: { getAccountSettingsMenu: list } })[1]
  expect(settings(['security', 'continue'])).toMatchObject({ target: { path: '/account/security' } })
  expect(settings([])).toMatchObject({ target: { path: '/account/devices' } })
})

test('A6-05 for a child, settings leads to its own entries, and is missing without any', () => {
  expect(entries({}, true)[1]).toMatchObject({ target: { path: '/account/favorites' } })
  expect(names({ navigation: { getAccountSettingsMenu: ['security'] } }, true)).not.toContain('settings')
})

test('V2.4-17 the library leads to the rentals, and requires the purchases', () => {
  expect(entries()[2]).toEqual({ name: 'library', target: { kind: 'internal', path: '/library/rentals' } })
  expect(names({ navigation: { isPurchasesTabEnable: false } })).not.toContain('library')
})

test('V2.4-18 V2.4-19 an operator adds items with an internal or external address', () => {
  const added = entries(
    menu(['help', 'news', 'nowhere', 'empty'], {
      help: { url: 'https://example.org/help', title: { eng: 'Help' } },
      news: { url: '/read/articles', title: {} },
      empty: { url: '', title: {} },
    }),
  )
  expect(added.map(({ name }) => name)).toEqual([
    'switch-profile',
    'settings',
    'library',
    'help',
    'news',
    'logout',
  ])
  expect(added[3]).toMatchObject({ target: { kind: 'external', newWindow: true }, title: { eng: 'Help' } })
  expect(added[4]).toMatchObject({ target: { kind: 'internal', path: '/read/articles' } })
})

test('V2.4-18 shows notifications if they have an address', () => {
  expect(
    names(menu(['notifications'], { notifications: { url: '/page/notifications', title: {} } })),
  ).toContain('notifications')
})

test('V2.4-18 notifications without an address lead to their switch, if this program can have them', () => {
  const notifications = (pushEnabled: boolean, isNative = false) =>
    entries({ ...menu(['notifications']), accounts: { pushEnabled } }, false, true, isNative).filter(
      ({ name }) => name === 'notifications',
    )
  expect(notifications(true)).toMatchObject([{ target: { kind: 'internal', path: '/account/devices' } }])
  expect(notifications(false)).toEqual([])
  expect(notifications(true, true)).toEqual([])
})

test('V2.4-18 an item cannot replace an existing one, nor an inherited property of objects', () => {
  const own = { url: 'https://example.org', title: {} }
  expect(names(menu(['logout', 'items', 'constructor', 'settings'], { logout: own, settings: own }))).toEqual(
    ['switch-profile', 'settings', 'library', 'logout'],
  )
})
