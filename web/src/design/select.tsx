import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { ChevronDownIcon } from './icons.tsx'
import styles from './select.module.css'

/** One of a few things to choose. `label` names the choice; the value itself says the rest. */
export function Select({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: { id: number; title: string }[]
  value: number
  onChange: (id: number) => void
}) {
  return (
    <AriaSelect
      aria-label={label}
      value={value}
      onChange={(key) => {
        if (typeof key === 'number') onChange(key)
      }}
    >
      <Button className={styles.button ?? ''}>
        <SelectValue />
        <ChevronDownIcon />
      </Button>
      <Popover className={styles.popover ?? ''} offset={8}>
        <ListBox className={styles.list ?? ''}>
          {options.map((option) => (
            <ListBoxItem
              key={option.id}
              id={option.id}
              textValue={option.title}
              className={styles.option ?? ''}
            >
              {option.title}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
