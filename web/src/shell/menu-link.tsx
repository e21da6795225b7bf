import type { ComponentProps } from 'react'
import { TargetLink } from '../features/ground/links/target-link.tsx'
import { isWithin, useSection } from './section.ts'

/** A link of a menu. It is marked on its own page, and on the pages that belong to it. */
export function MenuLink(props: ComponentProps<typeof TargetLink>) {
  const marks = isWithin(useSection(), props.target)
    ? { 'data-status': 'active', 'aria-current': true as const }
    : {}
  return <TargetLink {...marks} {...props} />
}
