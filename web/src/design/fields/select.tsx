import { Button } from 'react-aria-components/Button'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { ChevronDownIcon } from '../icons/icons.tsx'
import styles from './select.module.css'
import { SelectOptions } from './select-options.tsx'

/**
 * A select with few options. `label` is the accessible name. On the screen, only the selected value is visible.
 */
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
      <SelectOptions options={options} />
    </AriaSelect>
  )
}
