import type { ReactNode } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { CheckIcon } from '../icons/icons.tsx'
import styles from './menu.module.css'

/** An entry of a menu. */
export interface MenuAction {
  id: string
  title: string
  icon?: ReactNode
  /** Whether the entry is selected. Undefined in a menu of actions. */
  isSelected?: boolean | undefined
  isDisabled?: boolean
}

/** A menu of actions or choices, which opens from the button `trigger`. */
export function Menu({
  label,
  trigger,
  entries,
  onAction,
}: {
  label: string
  /** The `Button` that opens the menu. */
  trigger: ReactNode
  entries: readonly MenuAction[]
  onAction: (id: string) => void
}) {
  const selected = entries.filter(({ isSelected }) => isSelected).map(({ id }) => id)
  const isChoice = entries.some(({ isSelected }) => isSelected !== undefined)
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} offset={8} placement="bottom end">
        <AriaMenu
          aria-label={label}
          className={styles.menu ?? ''}
          onAction={(key) => onAction(String(key))}
          disabledKeys={entries.filter(({ isDisabled }) => isDisabled).map(({ id }) => id)}
          {...(isChoice ? { selectionMode: 'single', selectedKeys: selected } : {})}
        >
          {entries.map(({ id, title, icon, isSelected }) => (
            <MenuItem key={id} id={id} textValue={title} className={styles.item ?? ''}>
              {icon}
              <span className={styles.title}>{title}</span>
              {isSelected && <CheckIcon />}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
