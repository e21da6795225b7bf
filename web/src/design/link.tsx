import {
  defaultParseSearch,
  // oxlint-disable-next-line no-restricted-imports -- here alone
  Link as RouterLink,
  type LinkProps as RouterLinkProps,
} from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'
import styles from './link.module.css'

/** What a link of any look takes. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> {
  /** A path of this site with its query, or an address that begins with a scheme, which opens a new window (decision 6). */
  to: string
  /** Whether it takes the place of the page that it stands on: the way back leads past that, and nothing scrolls. */
  inPlace?: boolean
  /** Whether an address out of this site takes the place of this page instead of opening a new window. */
  sameWindow?: boolean
  children: ReactNode
}

/** A link without a look of its own: for what is a link as a whole, such as a card. */
export function BareLink({ to, inPlace = false, sameWindow = false, children, ...rest }: LinkProps) {
  if (hasScheme(to)) {
    return (
      <a {...rest} href={to} {...(!sameWindow && { target: '_blank', rel: 'noreferrer' })}>
        {children}
      </a>
    )
  }
  return (
    <RouterLink {...siteTarget(to)} {...(inPlace && { replace: true, resetScroll: false })} {...rest}>
      {children}
    </RouterLink>
  )
}

/** A link to the screen that it stands on, with another query: current when nothing in the query differs. */
export function QueryLink({
  query,
  children,
  ...rest
}: Omit<LinkProps, 'to' | 'inPlace' | 'sameWindow'> & { query: NonNullable<RouterLinkProps['search']> }) {
  return (
    <RouterLink to="." search={query} activeOptions={{ exact: true, includeSearch: true }} {...rest}>
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
