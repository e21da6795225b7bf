import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './select.module.css'

/** The list of options that opens below a select. */
export function SelectOptions({ options }: { options: readonly { id: number | string; title: string }[] }) {
  return (
    <Popover className={styles.popover ?? ''} offset={8}>
      <ListBox className={styles.list ?? ''}>
        {options.map(({ id, title }) => (
          <ListBoxItem key={id} id={id} textValue={title} className={styles.option ?? ''}>
            {title}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  )
}
