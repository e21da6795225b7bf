import type { ReactNode } from 'react'
import { BareLink, type LinkProps } from '../../../design/buttons/link.tsx'
import { type Target, targetLink } from './content-link.ts'

/**
 * A link whose target comes from a menu or from content. The target decides whether the link opens in this window
 * or in a new one (V2.2-16, V2.2-17).
 */
export function TargetLink({
  target,
  children,
  ...rest
}: Omit<LinkProps, 'to' | 'sameWindow' | 'children'> & { target: Target; children: ReactNode }) {
  return (
    <BareLink {...rest} {...targetLink(target)}>
      {children}
    </BareLink>
  )
}
