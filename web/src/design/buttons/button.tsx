import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'
import { BareLink, type LinkProps } from './link.tsx'

/**
 * `primary` is the main action, `secondary` any other action. `icon` is a round button that shows only an icon.
 * `plain` looks like text.
 */
export type ButtonLook = 'primary' | 'secondary' | 'icon' | 'plain'

/**
 * A row of buttons with the actions for a page's subject. On a phone, the first button fills a line. The other
 * buttons are in one row below it, each with an icon above its text.
 */
export function ActionRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The text of a button in an {@link ActionRow}. A round button shows its text only on phones, below its icon. */
export function RowWords({ children }: { children: ReactNode }) {
  return <span className={styles.words}>{children}</span>
}

/** A button. With the look `icon` it needs an `aria-label`. */
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

/** A link that looks like a button, for a page whose main action is a navigation. */
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
