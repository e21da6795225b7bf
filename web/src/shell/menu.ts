import type { Category } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hierarchyQuery } from '../features/catalogue/queries.ts'
import { pathOf } from '../features/links/content-link.ts'

/** An entry of the navigation bar. */
export interface MenuEntry {
  id: string
  title: string
  to: string
  kind: 'home' | 'films' | 'series' | 'live' | 'guide'
}

/** How many categories stand in the navigation bar: films and series. */
const CATEGORIES_SHOWN = 2

/** The navigation bar's entries. A menu that could not be loaded leaves its entries out (decision 10). */
export function useMenu(): MenuEntry[] {
  const { t } = useTranslation()
  const { data } = useQuery({ ...hierarchyQuery, retryOnMount: false })
  return [
    { id: 'home', title: t('shell.home'), to: pathOf('home'), kind: 'home' },
    ...(data ?? [])
      .filter((category) => !category.isSerie && !category.isSeason)
      .slice(0, CATEGORIES_SHOWN)
      .map(categoryEntry),
    { id: 'live', title: t('shell.live'), to: pathOf('live'), kind: 'live' },
    { id: 'guide', title: t('shell.guide'), to: pathOf('epg'), kind: 'guide' },
  ]
}

function categoryEntry(category: Category): MenuEntry {
  const series = category.categories.some((child) => child.isSerie)
  return {
    id: String(category.idCatalog),
    title: category.name,
    to: category.detailRoute,
    kind: series ? 'series' : 'films',
  }
}
