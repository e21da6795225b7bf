import type { MouseEvent, ReactNode, Ref } from 'react'
import styles from './control-button.module.css'

/** An icon button of the player. On hover, a tooltip shows its name. */
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
  /** Whether the panel of the button is open; undefined for a button without a panel. */
  expanded?: boolean | undefined
  controls?: string | undefined
  disabled?: boolean
  /** The alignment of the button's tooltip, which keeps the tooltip inside the window. */
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

/** Prevents a click from moving the focus, so that the space bar still plays and pauses. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
