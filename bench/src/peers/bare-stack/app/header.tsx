import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import { type Group, MENU } from './menu.ts'

/** Shows the bar above every page: navigation, search, sign-in. */
export function Header() {
  const { t } = useTranslation()
  const [searching, setSearching] = useState(false)
  const [menuOpen, setMenuOpen] = useState(false)
  return (
    <header className="bar">
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <Link className="mark" to="/">
        {t('name')}
      </Link>
      <nav className="menu" aria-label={t('menu.label')} data-open={menuOpen}>
        <ul>
          {MENU.map((each) => (
            <li key={each.name}>
              {'entries' in each ? (
                <Dropdown {...each} />
              ) : (
                <Link className="entry" to={each.path}>
                  {t(each.name)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <search>
        <form>
          <Button
            className="icon"
            aria-label={t('search.open')}
            aria-expanded={searching}
            onPress={() => setSearching(!searching)}
          >
            <Icon path="m15.6 15.6 4.4 4.4" />
          </Button>
          <input type="search" aria-label={t('search.label')} placeholder={t('search.hint')} maxLength={40} />
        </form>
      </search>
      <Link className="sign-in" to="/auth/login" search={{ back: '/' }}>
        {t('signIn')}
      </Link>
      <Button
        className="icon"
        aria-label={t('menu.open')}
        aria-expanded={menuOpen}
        onPress={() => setMenuOpen(!menuOpen)}
      >
        <Icon path="M4 7h16M4 12h16M4 17h16" />
      </Button>
    </header>
  )
}

function Dropdown({ name, entries }: Group) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button className="entry" aria-expanded={open} onPress={() => setOpen(!open)}>
        {t(name)}
        <Icon path="m5.5 9 6.5 6.5L18.5 9" />
      </Button>
      <ul className="panel" hidden={!open}>
        {entries.map((entry) => (
          <li key={entry.path}>
            <Link className="entry" to={entry.path}>
              {t(entry.name)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
