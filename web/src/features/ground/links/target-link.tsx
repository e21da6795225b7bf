import type { ReactNode } from 'react'
import { BareLink, type LinkProps } from '../../../design/buttons/link.tsx'
import { type Target, targetLink } from './content-link.ts'

/**
 * A link whose target comes from a menu or from content. It opens in this window or a new one, as the target says
 * (V2.2-16, V2.2-17).
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
