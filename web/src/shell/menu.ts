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

/** The navigation bar's entries. A menu that could not be loaded leaves its entries out (decision 10). */
export function useMenu(): MenuEntry[] {
  const { t } = useTranslation()
  const { data } = useQuery({ ...hierarchyQuery, retryOnMount: false })
  return [
    { id: 'home', title: t('shell.home'), to: pathOf('home'), kind: 'home' },
    ...filmsAndSeries(data ?? []).map(categoryEntry),
    { id: 'live', title: t('shell.live'), to: pathOf('live'), kind: 'live' },
    { id: 'guide', title: t('shell.guide'), to: pathOf('epg'), kind: 'guide' },
  ]
}

/** The first category of films and the first of series; the genres stand on home. */
function filmsAndSeries(tree: Category[]): Category[] {
  const films = tree.find((category) => !category.isSerie && !holdsSeries(category))
  const series = tree.find(holdsSeries)
  return [films, series].filter((category) => category !== undefined)
}

function holdsSeries(category: Category): boolean {
  return category.categories.some((child) => child.isSerie)
}

function categoryEntry(category: Category): MenuEntry {
  return {
    id: String(category.idCatalog),
    title: category.name,
    to: category.detailRoute,
    kind: holdsSeries(category) ? 'series' : 'films',
  }
}
