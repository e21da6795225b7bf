import type { ParseKeys } from 'i18next'

/** A link of the menu. */
interface Entry {
  name: ParseKeys
  path: string
}

/** A group of links with a name. */
export interface Group {
  name: ParseKeys
  entries: readonly Entry[]
}

/** Links in the bar at the top of the page. */
export const MENU: readonly (Entry | Group)[] = [
  { name: 'menu.home', path: '/' },
  { name: 'menu.films', path: '/category/films' },
  {
    name: 'menu.genres',
    entries: [
      { name: 'menu.drama', path: '/category/drame' },
      { name: 'menu.adventure', path: '/category/aventure' },
      { name: 'menu.documentary', path: '/category/documentaire' },
      { name: 'menu.comedy', path: '/category/comedie' },
    ],
  },
  { name: 'menu.live', path: '/live' },
  { name: 'menu.guide', path: '/epg' },
]

/** Groups of links in the footer. */
export const COLUMNS: readonly Group[] = [
  {
    name: 'footer.discover',
    entries: [
      { name: 'footer.all', path: '/all-content' },
      { name: 'footer.categories', path: '/category' },
      { name: 'menu.live', path: '/live' },
      { name: 'menu.guide', path: '/epg' },
    ],
  },
  {
    name: 'footer.account',
    entries: [
      { name: 'footer.offers', path: '/offers' },
      { name: 'footer.devices', path: '/account/devices' },
    ],
  },
]
