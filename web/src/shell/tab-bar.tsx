import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FilmIcon, GuideIcon, HomeIcon, LiveIcon, SeriesIcon } from '../design/icons.tsx'
import { type MenuEntry, useMenu } from './menu.ts'
import styles from './tab-bar.module.css'

const ICONS: Record<MenuEntry['kind'], () => React.JSX.Element> = {
  home: HomeIcon,
  films: FilmIcon,
  series: SeriesIcon,
  live: LiveIcon,
  guide: GuideIcon,
}

/** The menu within reach of a thumb, in narrow windows only. */
export function TabBar() {
  const { t } = useTranslation()
  const menu = useMenu()
  return (
    <nav className={styles.bar} aria-label={t('shell.tabBar')}>
      <ul>
        {menu.map((entry) => {
          const Icon = ICONS[entry.kind]
          return (
            <li key={entry.id}>
              <Link to={entry.to} className={styles.entry} activeOptions={{ exact: entry.to === '/' }}>
                <Icon />
                <span>{entry.title}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
