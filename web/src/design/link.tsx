import { defaultParseSearch, Link as RouterLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'
import styles from './link.module.css'

/** What a link of any look takes. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> {
  /** A path of this site with its query, or an address that begins with a scheme, which opens a new window (decision 6). */
  to: string
  children: ReactNode
}

/** A link without a look of its own: for what is a link as a whole, such as a card. */
export function BareLink({ to, children, ...rest }: LinkProps) {
  if (hasScheme(to)) {
    return (
      <a {...rest} href={to} target="_blank" rel="noreferrer">
        {children}
      </a>
    )
  }
  return (
    <RouterLink {...siteTarget(to)} {...rest}>
      {children}
    </RouterLink>
  )
}

/** A link within a text: underlined, because colour alone does not say that it is one. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return <BareLink {...rest} className={`${styles.text} ${className}`} />
}

/** Whether an address leads out of this site: it begins with a scheme, such as `https:` or `mailto:` (decision 6). */
function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address)
}

// Given as one text, the router would fetch ahead for a path that has a question mark in it, which is another screen.
function siteTarget(to: string) {
  const [beforeHash = '', hash] = to.split('#', 2)
  const [path = '', query = ''] = beforeHash.split('?', 2)
  return { to: path, search: defaultParseSearch(`?${query}`), ...(hash === undefined ? {} : { hash }) }
}
