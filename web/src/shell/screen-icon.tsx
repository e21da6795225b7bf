import type { ReactNode } from 'react'
import { GuideIcon, HeartIcon, HomeIcon, LiveIcon, SearchIcon, SeriesIcon } from '../design/icons/icons.tsx'
import type { Target } from '../features/ground/links/content-link.ts'
import { routeAt } from '../features/ground/links/route-at.ts'
import type { RouteName } from '../routes.ts'

/** Icons of the screens that are in most menus. */
const ICONS: Partial<Record<RouteName, ReactNode>> = {
  home: <HomeIcon />,
  live: <LiveIcon />,
  'account-favorites': <HeartIcon />,
  epg: <GuideIcon />,
  search: <SearchIcon />,
  'categories-slug-details': <SeriesIcon />,
  'series-id': <SeriesIcon />,
}

/** Returns the icon of a menu entry's target screen; undefined for other targets. */
export function screenIcon(target: Target | undefined): ReactNode {
  const route = target?.kind === 'internal' ? routeAt(target.path)?.name : undefined
  return route === undefined ? undefined : ICONS[route]
}
