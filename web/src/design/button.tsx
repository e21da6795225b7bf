import { defaultParseSearch, Link } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'

/** `primary`: the one thing to do here. `secondary`: the other things. `icon`: round, with a drawing only. `plain`: text. */
export type ButtonLook = 'primary' | 'secondary' | 'icon' | 'plain'

/** A button. One with the look `icon` needs an `aria-label`. */
export function Button({
  look = 'secondary',
  className = '',
  ...rest
}: Omit<ButtonProps, 'className'> & {
  look?: ButtonLook
  className?: string | undefined
  ref?: Ref<HTMLButtonElement>
}) {
  return <AriaButton {...rest} className={`${styles[look]} ${className}`} />
}

/** A link that looks like a button, because it is what the page is for. `to` is a path of this site, with its query. */
export function ButtonLink({
  look = 'secondary',
  to,
  label,
  children,
}: {
  look?: ButtonLook
  to: string
  label?: string | undefined
  children: ReactNode
}) {
  // Given as one text, the router would fetch ahead for a path that has a question mark in it, which is another screen.
  const [path = '', query = ''] = to.split('?', 2)
  const target = { to: path, search: defaultParseSearch(`?${query}`) }
  return (
    <Link {...target} className={styles[look]} aria-label={label}>
      {children}
    </Link>
  )
}
