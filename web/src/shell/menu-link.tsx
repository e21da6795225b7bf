import type { ComponentProps } from 'react'
import { TargetLink } from '../features/ground/links/target-link.tsx'
import type { MenuItem } from './menu.ts'
import { isAt, isWithin, useSection } from './section.ts'

/**
 * A link of a menu. The link is marked as current on the page that it leads to, and on the pages that belong to that
 * page.
 * @param over entries that the link's page lists. The link is marked on the screens of these entries too, except on the
 * screens of single categories
 */
export function MenuLink({
  over = [],
  ...props
}: ComponentProps<typeof TargetLink> & { over?: readonly MenuItem[] }) {
  const section = useSection()
  const isOver = over.some(({ target }) => target !== undefined && isAt(section, target))
  const marks =
    isOver || isWithin(section, props.target)
      ? { 'data-status': 'active', 'aria-current': true as const }
      : {}
  return <TargetLink {...marks} {...props} />
}
