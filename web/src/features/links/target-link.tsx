import type { ReactNode } from 'react'
import { BareLink, type LinkProps } from '../../design/link.tsx'
import { type Target, targetLink } from './content-link.ts'

/** A link to where a menu or a content link leads: in this window or in another, as its target says (V2.2-16, V2.2-17). */
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
