import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'
import { BareLink, type LinkProps } from './link.tsx'

/** `primary`: the one thing to do here. `secondary`: the other things. `icon`: round, with a drawing only. `plain`: text. */
export type ButtonLook = 'primary' | 'secondary' | 'icon' | 'plain'

/**
 * The words of a button that stands in a row with others. On a phone the button is round and shows its drawing only; its words are
 * still read out.
 */
export function RowWords({ children }: { children: ReactNode }) {
  return <span className={styles.words}>{children}</span>
}

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

/** A link that looks like a button, because it is what the page is for. */
export function ButtonLink({
  look = 'secondary',
  label,
  children,
  ...where
}: Pick<LinkProps, 'to' | 'sameWindow'> & {
  look?: ButtonLook
  label?: string | undefined
  children: ReactNode
}) {
  return (
    <BareLink {...where} className={styles[look]} aria-label={label}>
      {children}
    </BareLink>
  )
}
