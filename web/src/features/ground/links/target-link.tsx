import type { ReactNode } from 'react'
import { BareLink, type LinkProps } from '../../../design/buttons/link.tsx'
import { type Target, targetLink } from './content-link.ts'

/** A link of a menu or of content, in this window or a new one (V2.2-16, V2.2-17). */
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
