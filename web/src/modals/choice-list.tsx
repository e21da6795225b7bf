import type { ReactNode } from 'react'
import { Button } from '../design/buttons/button.tsx'
import { ChevronRightIcon } from '../design/icons/icons.tsx'
import styles from './choice-list.module.css'

/** A row of a {@link ChoiceList}. */
export interface Choice {
  id: number
  title: string
  /** Second line of text. */
  text?: string
  /** An icon before the text. A choice without an icon has an arrow at its end. */
  icon?: ReactNode
  /** Content at the end of the row, such as a price. */
  side?: ReactNode
  isDisabled?: boolean
}

/** A list of choices. The viewer presses one of them. */
export function ChoiceList({
  label,
  choices,
  onChoose,
}: {
  label: string
  choices: readonly Choice[]
  onChoose: (id: number) => void
}) {
  return (
    <ul className={styles.list} aria-label={label}>
      {choices.map(({ id, title, text, icon, side, isDisabled = false }) => (
        <li key={id}>
          <Button className={styles.choice} isDisabled={isDisabled} onPress={() => onChoose(id)}>
            {icon !== undefined && <span className={styles.icon}>{icon}</span>}
            <span className={styles.words}>
              <span className={styles.title}>{title}</span>
              {text !== undefined && text !== '' && <span className={styles.text}>{text}</span>}
            </span>
            {side !== undefined && <span className={styles.side}>{side}</span>}
            {icon === undefined && (
              <span className={styles.arrow}>
                <ChevronRightIcon />
              </span>
            )}
          </Button>
        </li>
      ))}
    </ul>
  )
}
