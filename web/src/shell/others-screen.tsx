import { useTranslation } from 'react-i18next'
import { ChevronRightIcon } from '../design/icons/icons.tsx'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { TargetLink } from '../features/ground/links/target-link.tsx'
import { EntryImage } from './entry-image.tsx'
import { LinkColumns } from './link-columns.tsx'
import { type MenuItem, useFooterMenu, useHeaderMenu } from './menu.ts'
import styles from './others-screen.module.css'
import { tabsOf } from './overflow.ts'
import { screenIcon } from './screen-icon.tsx'

/**
 * The screen with the menu entries that do not fit into the tab bar, and with the sub-entries of those that do
 * (V2.1-15, V2.4-14). If there is no tab bar, it shows the whole menu. Below the entries, it shows the links of the
 * footer that are not in the menu, because this screen has no footer (V2.4-12).
 */
export function OthersScreen() {
  const { t } = useTranslation()
  const { navBar } = useConfiguration().navigation
  const menu = useHeaderMenu()
  const { others } = tabsOf(menu)
  const inMenu = new Set(menu.flatMap(pathsOf))
  const columns = useFooterMenu()
    .map((column) => ({
      ...column,
      children: column.children.filter((link) => !pathsOf(link).some((path) => inMenu.has(path))),
    }))
    .filter(({ children }) => children.length > 0)
  const items = navBar ? others : menu
  return (
    <div className={styles.others}>
      <h1 className={styles.title}>{t('others.title')}</h1>
      {items.length === 0 ? <p>{t('others.empty')}</p> : <Entries items={items} />}
      <div className={styles.further}>
        <LinkColumns columns={columns} />
      </div>
    </div>
  )
}

/** Returns the paths on this site of an entry and of all its sub-entries. */
function pathsOf({ target, children }: MenuItem): string[] {
  return [...(target?.kind === 'internal' ? [target.path] : []), ...children.flatMap(pathsOf)]
}

function Entries({ items }: { items: readonly MenuItem[] }) {
  return (
    <ul className={styles.list}>
      {items.map((item) => (
        <li key={item.key}>
          {item.target === undefined ? (
            <h2 className={styles.heading}>{item.title}</h2>
          ) : (
            <TargetLink target={item.target} className={styles.entry}>
              <EntryImage image={item.image} size={28} otherwise={screenIcon(item.target)} />
              {item.title}
              <ChevronRightIcon />
            </TargetLink>
          )}
          {item.children.length > 0 && <Entries items={item.children} />}
        </li>
      ))}
    </ul>
  )
}
