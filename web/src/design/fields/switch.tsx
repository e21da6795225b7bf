import { useRef } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import { ToggleLock } from '../buttons/toggle-lock.ts'
import styles from './switch.module.css'

/** A switch whose change takes effect at once, without a submit button. */
export function Switch({
  label,
  note,
  isSelected,
  isDisabled = false,
  onChange,
}: {
  label: string
  /** A line of less prominent text under the label. */
  note?: string | undefined
  isSelected: boolean
  isDisabled?: boolean
  onChange: (isSelected: boolean) => void
}) {
  const lock = useRef<ToggleLock>(undefined)
  return (
    <AriaSwitch
      className={styles.switch ?? ''}
      isSelected={isSelected}
      isDisabled={isDisabled}
      onChange={(selected) => {
        lock.current ??= new ToggleLock()
        if (lock.current.admit(performance.now())) onChange(selected)
      }}
    >
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </span>
      <span className={styles.track}>
        <span className={styles.thumb} />
      </span>
    </AriaSwitch>
  )
}
