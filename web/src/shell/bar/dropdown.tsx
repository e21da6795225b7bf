import { LAYOUT } from '@ondine/contract/constants'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ChevronDownIcon } from '../../design/icons/icons.tsx'
import { TargetLink } from '../../features/ground/links/target-link.tsx'
import { EntryImage } from '../entry-image.tsx'
import type { MenuItem } from '../menu.ts'
import { dropdownColumns } from '../overflow.ts'
import { useDismiss } from '../use-dismiss.ts'
import { useOpenHere } from '../use-open-here.ts'
import styles from './dropdown.module.css'
import entry from './main-menu.module.css'
import panels from './panel.module.css'

/** The image and the title of an entry of the navigation bar. */
export function EntryWords({ item }: { item: MenuItem }) {
  return (
    <>
      <EntryImage image={item.image} size={20} />
      {item.title}
    </>
  )
}

/** An entry of the navigation bar that opens a dropdown with its sub-entries, in columns of 4 (V2.4-03, V2.4-05). */
export function Dropdown({ item }: { item: MenuItem }) {
  const { key, title, target, children } = item
  const { t } = useTranslation()
  const panel = `menu-${key.replaceAll(/\s+/g, '-')}`
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  // The state belongs to the address, so a link in the dropdown also closes the dropdown.
  const [open, setOpen] = useOpenHere()
  const close = useCallback(() => setOpen(false), [setOpen])
  useDismiss(place, open, close, trigger)
  // Moves the dropdown so that it does not extend beyond the edge of the window.
  const keepInside = (element: HTMLDivElement | null) => {
    if (element === null || !open) return
    element.style.translate = ''
    const { left, right } = element.getBoundingClientRect()
    // The side margin of the bar, in px.
    const margin = Number.parseFloat(getComputedStyle(element.closest('header') ?? element).paddingInlineEnd)
    const over = Math.max(0, right + margin - innerWidth)
    const under = Math.max(0, margin - left)
    element.style.translate = `${under - over}px`
  }
  const links =
    target === undefined
      ? children
      : [{ key: 'whole', title: t('shell.allOf', { title }), image: '', target, children: [] }, ...children]
  return (
    <div ref={place} className={styles.dropdown}>
      <button
        ref={trigger}
        type="button"
        className={entry.entry}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <EntryWords item={item} />
        <ChevronDownIcon />
      </button>
      <div
        ref={keepInside}
        id={panel}
        className={`${panels.panel} ${styles.panel}`}
        hidden={!open}
        style={columnsOf(links.length)}
      >
        <ul className={styles.columns}>
          {links.map((link) => (
            <li key={link.key}>
              <Nested item={link} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** An entry with sub-entries that did not fit into the bar. The sub-entries are listed below its name. */
function Nested({ item }: { item: MenuItem }) {
  return (
    <>
      {item.target === undefined ? (
        <span className={styles.heading}>{item.title}</span>
      ) : (
        <TargetLink target={item.target} className={styles.link}>
          <EntryImage image={item.image} size={28} className={styles.image} />
          {item.title}
        </TargetLink>
      )}
      {item.children.length > 0 && (
        <ul className={styles.nested}>
          {item.children.map((child) => (
            <li key={child.key}>
              <Nested item={child} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/**
 * Returns the number of rows for narrow and for wide windows, as custom properties. The style sheet chooses
 * between them.
 */
function columnsOf(entries: number): React.CSSProperties {
  const { dropdownColumnSize, dropdownWideFrom } = LAYOUT
  const columns = [dropdownColumns(entries, dropdownWideFrom - 1), dropdownColumns(entries, dropdownWideFrom)]
  const [narrow, wide] = columns.map((count) => Math.max(dropdownColumnSize, Math.ceil(entries / count)))
  return { '--rows-narrow': Math.min(narrow ?? 1, entries), '--rows-wide': Math.min(wide ?? 1, entries) }
}
