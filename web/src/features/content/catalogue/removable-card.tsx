import type { ReactNode } from 'react'
import { Button } from '../../../design/buttons/button.tsx'
import styles from './removable-card.module.css'

/** A card with a button that removes it from its list. */
export function RemovableCard({
  name,
  remove,
  children,
}: {
  /** The key of the card, as in `leaveCard`. */
  name: string
  remove: { label: string; icon: ReactNode; isFilled?: boolean; act: () => Promise<void> }
  children: ReactNode
}) {
  return (
    <div className={styles.place} data-card={name}>
      {children}
      <Button
        look="icon"
        className={styles.remove}
        aria-label={remove.label}
        data-selected={remove.isFilled || undefined}
        onPress={() => void remove.act()}
      >
        {remove.icon}
      </Button>
    </div>
  )
}
