import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followSize } from '../../design/page/follow-size.ts'
import type { MenuItem } from '../menu.ts'
import { MenuLink } from '../menu-link.tsx'
import { fittingEntries } from '../overflow.ts'
import { Dropdown, EntryWords } from './dropdown.tsx'
import styles from './main-menu.module.css'

/** Gap between two entries, in px. */
const GAP = 4

/** The entries of the navigation bar. Entries that do not fit are in the dropdown "more" (V2.4-03, V2.4-04). */
export function MainMenu({ items }: { items: readonly MenuItem[] }) {
  const { t } = useTranslation()
  const bar = useRef<HTMLElement>(null)
  const ruler = useRef<HTMLUListElement>(null)
  const [count, setCount] = useState<number>()
  useLayoutEffect(() => {
    const measure = () => {
      const widths = [...(ruler.current?.children ?? [])].map((child) => child.getBoundingClientRect().width)
      const more = widths.pop() ?? 0
      setCount(fittingEntries(widths, { available: bar.current?.clientWidth ?? 0, gap: GAP, more }))
    }
    measure()
    // Measures again on a change of size, because a font that arrives later makes the entries wider.
    return followSize(
      [bar.current, ruler.current].filter((each) => each !== null),
      measure,
    )
  }, [])
  // Until the entries are measured, the menu renders all of them, and the style sheet hides those that usually do not
  // fit.
  const shown = items.slice(0, count ?? items.length)
  const rest = items.slice(shown.length)
  return (
    <nav
      ref={bar}
      className={styles.menu}
      aria-label={t('shell.mainNavigation')}
      data-measured={count !== undefined}
    >
      <ul className={styles.list}>
        {shown.map((item) => (
          <li key={item.key}>
            <Entry item={item} />
          </li>
        ))}
        {rest.length > 0 && (
          <li>
            <Dropdown
              item={{ key: 'more', title: t('shell.more'), image: '', target: undefined, children: rest }}
            />
          </li>
        )}
      </ul>
      <ul ref={ruler} className={styles.ruler} aria-hidden="true">
        {items.map((item) => (
          <li key={item.key} className={styles.entry}>
            <EntryWords item={item} />
            {(item.children.length > 0 || item.target === undefined) && <span className={styles.arrow} />}
          </li>
        ))}
        <li className={styles.entry}>
          {t('shell.more')}
          <span className={styles.arrow} />
        </li>
      </ul>
    </nav>
  )
}

function Entry({ item }: { item: MenuItem }) {
  if (item.children.length > 0 || item.target === undefined) return <Dropdown item={item} />
  return (
    <MenuLink target={item.target} className={styles.entry}>
      <EntryWords item={item} />
    </MenuLink>
  )
}
