import { idOfSlug } from '@ondine/contract/slugs'
import { useRouterState } from '@tanstack/react-router'
import type { Target } from '../features/ground/links/content-link.ts'
import { routeAt } from '../features/ground/links/route-at.ts'
import type { RouteName } from '../routes.ts'
import { useScreen } from './use-screen.ts'

/** The part of the service to which a page belongs. It decides which menu entry is highlighted. */
export interface Section {
  screen: RouteName | undefined
  /** Ids of the categories of the page's title; empty on other pages. */
  categoryIds: readonly number[]
}

const OF_NONE: readonly number[] = []

/** Further screens that belong to the live screen. */
const LIVE: ReadonlySet<RouteName | undefined> = new Set([
  'channel-slug',
  'channel-events-guide-slug',
  'live-events-guide-slug',
  'live-zoom',
])

/**
 * Returns the part of the service to which the current page belongs. `categoryIds` comes from the loader of a title's
 * page.
 */
export function useSection(): Section {
  const screen = useScreen()
  const categoryIds = useRouterState({
    select: ({ matches }) => {
      const data = matches.at(-1)?.loaderData
      return data !== undefined && 'categoryIds' in data ? data.categoryIds : OF_NONE
    },
  })
  return { screen, categoryIds }
}

/**
 * Returns whether a page is the target of a menu entry, or below this target. For example, the guide of a single
 * day is below the guide.
 */
export function isAt({ screen }: Section, target: Target): boolean {
  if (target.kind === 'external' || screen === undefined) return false
  const entry = routeAt(target.path)
  if (entry === undefined || Object.keys(entry.parameters).length > 0) return false
  return screen === entry.name || screen === `${entry.name}-slug`
}

/**
 * Returns whether a page belongs to a menu entry's target, although its address is not below the target's address.
 */
export function isWithin({ screen, categoryIds }: Section, target: Target): boolean {
  if (target.kind === 'external') return false
  const entry = routeAt(target.path)
  if (entry?.name === 'live') return LIVE.has(screen)
  const categoryId = entry?.name === 'category-slug' ? idOfSlug(entry.parameters.slug ?? '') : undefined
  return categoryId !== undefined && categoryIds.includes(categoryId)
}
