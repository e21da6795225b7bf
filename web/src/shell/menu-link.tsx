import type { ComponentProps } from 'react'
import { TargetLink } from '../features/ground/links/target-link.tsx'
import type { MenuItem } from './menu.ts'
import { isAt, isWithin, useSection } from './section.ts'

/**
 * A link of a menu. It is highlighted on its target page, and on the pages that belong to this page.
 * @param over entries that the target page lists. The link is also highlighted on the screens of these entries,
 * except on the screens of single categories
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
