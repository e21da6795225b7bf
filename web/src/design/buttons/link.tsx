import {
  defaultParseSearch,
  // oxlint-disable-next-line no-restricted-imports -- here alone
  Link as RouterLink,
  type LinkProps as RouterLinkProps,
} from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { isExternal } from './is-external.ts'
import styles from './link.module.css'

/** Props shared by all links. */
export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> {
  /**
   * A path of this site with its query, or an external address. An external address opens in a new window (spec 6).
   */
  to: string
  /**
   * Whether the navigation replaces the current history entry. The back button then skips the current page, and the
   * page does not scroll.
   */
  inPlace?: boolean
  /** Whether an external address replaces this page instead of opening a new window. */
  sameWindow?: boolean
  children: ReactNode
}

/** A link without styles, for an element that is a link as a whole, such as a card. */
export function BareLink({ to, inPlace = false, sameWindow = false, children, ...rest }: LinkProps) {
  if (isExternal(to)) {
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

/**
 * A link to the current screen with another query. The link is marked as current when the whole query of the page
 * equals `query`.
 */
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

/** A link within text. It is underlined, because colour alone does not identify a link. */
export function TextLink({ className = '', ...rest }: LinkProps) {
  return <BareLink {...rest} className={`${styles.text} ${className}`} />
}

// Splits the address into path and query for the router. Given a single string, the router would treat the query
// as a part of the path, and would preload another screen.
function siteTarget(to: string) {
  const [beforeHash = '', hash] = to.split('#', 2)
  const [path = '', query = ''] = beforeHash.split('?', 2)
  return { to: path, search: defaultParseSearch(`?${query}`), ...(hash === undefined ? {} : { hash }) }
}
