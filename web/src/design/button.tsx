import type { ReactNode, Ref } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button'
import styles from './button.module.css'
import { BareLink, type LinkProps } from './link.tsx'

/** `primary`: the one thing to do here. `secondary`: the other things. `icon`: round, with a drawing only. `plain`: text. */
export type ButtonLook = 'primary' | 'secondary' | 'icon' | 'plain'

/**
 * What can be done with the thing that a page is about. On a phone the first of it fills a line, and the others stand below it in one row, each a
 * drawing over its words.
 */
export function ActionRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}

/** The words of a button in an {@link ActionRow}. A round button shows them on phones only, where they stand below its drawing. */
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
