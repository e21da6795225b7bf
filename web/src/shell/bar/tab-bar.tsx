import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilmIcon, MenuIcon, SeriesIcon } from '../../design/icons/icons.tsx'
import { pathOf, type Target } from '../../features/ground/links/content-link.ts'
import { EntryImage } from '../entry-image.tsx'
import { type MenuItem, useHeaderMenu } from '../menu.ts'
import { MenuLink } from '../menu-link.tsx'
import { tabsOf } from '../overflow.ts'
import { screenIcon } from '../screen-icon.tsx'
import type { TabBarWindows } from '../screen-rule.ts'
import styles from './tab-bar.module.css'

/**
 * The menu at the bottom of the window (V2.4-13, spec 45). It has up to 5 entries, or up to 4 entries and
 * "Others" (V2.4-14).
 */
export function TabBar({ windows }: { windows: TabBarWindows }) {
  const { t } = useTranslation()
  const { tabs, hasOthers, rest } = tabsOf(useHeaderMenu())
  if (tabs.length === 0) return null
  const categories = tabs.filter(({ target }) => screenIcon(target) === undefined)
  return (
    <nav className={styles.bar} aria-label={t('shell.tabBar')} data-tab-bar={windows}>
      <ul>
        {tabs.map((item) => (
          <li key={item.key}>
            <Tab
              item={item}
              target={item.target ?? OTHERS}
              otherwise={categories.indexOf(item) > 0 ? <SeriesIcon /> : <FilmIcon />}
            />
          </li>
        ))}
        {hasOthers && (
          <li>
            <MenuLink target={OTHERS} over={rest} className={styles.entry}>
              <MenuIcon />
              <span>{t('shell.others')}</span>
            </MenuLink>
          </li>
        )}
      </ul>
    </nav>
  )
}

/** The target of an entry that has no page: the screen that lists its sub-entries. */
const OTHERS: Target = { kind: 'internal', path: pathOf('others') }

/**
 * @param otherwise icon of a category. The menu does not say what a category contains. As in the default menu, the
 * first category gets the icon of films, and the others get the icon of series.
 */
function Tab({ item, target, otherwise }: { item: MenuItem; target: Target; otherwise: ReactNode }) {
  return (
    <MenuLink target={target} className={styles.entry}>
      <EntryImage image={item.image} size={22} otherwise={screenIcon(target) ?? otherwise} />
      <span>{item.title}</span>
    </MenuLink>
  )
}
