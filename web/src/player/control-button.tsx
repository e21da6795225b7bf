import type { MouseEvent, ReactNode, Ref } from 'react'
import styles from './control-button.module.css'

/** A button of the player: a drawing with a name that appears beside it. */
export function ControlButton({
  name,
  onPress,
  children,
  size = 'normal',
  expanded,
  controls,
  disabled = false,
  align = 'centre',
  className,
  ref,
}: {
  name: string
  onPress: () => void
  children: ReactNode
  size?: 'normal' | 'large'
  /** Whether what it opens is open; for buttons that open something. */
  expanded?: boolean | undefined
  controls?: string | undefined
  disabled?: boolean
  /** On which side the name stays inside the window. */
  align?: 'start' | 'centre' | 'end'
  className?: string | undefined
  ref?: Ref<HTMLButtonElement>
}) {
  return (
    <button
      ref={ref}
      type="button"
      className={className === undefined ? styles.button : `${styles.button} ${className}`}
      data-size={size}
      data-align={align}
      data-name={name}
      aria-label={name}
      aria-expanded={expanded}
      aria-haspopup={expanded === undefined ? undefined : 'dialog'}
      aria-controls={expanded === true ? controls : undefined}
      aria-disabled={disabled || undefined}
      onMouseDown={keepFocus}
      onClick={disabled ? undefined : onPress}
    >
      {children}
    </button>
  )
}

/** A click leaves the focus where it was, so that the space bar goes on playing and pausing. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
