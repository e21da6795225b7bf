import { TEXTS } from '@ondine/contract/constants'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CloseIcon, SearchIcon } from '../../design/icons/icons.tsx'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { routeAt } from '../../features/ground/links/route-at.ts'
import { keepsSearchOpen } from '../screen-rule.ts'
import { useDismiss } from '../use-dismiss.ts'
import { useLocked } from '../use-lock.ts'
import styles from './search-box.module.css'
import { SHELL_TIMES } from './times.ts'

// Lazy, because a closed search box needs no suggestions.
const Suggestions = lazy(() => import('../../features/viewing/search/suggestions.tsx'))

/**
 * The search box of the navigation bar: a button that becomes a field. On the search screen the field stays open
 * (V2.4-06, V4-08, V4-10). The search term is trimmed and in lower case. A blank term is ignored (V5-01).
 */
export function SearchBox() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const field = useId()
  const place = useRef<HTMLElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const term = useLocation({ select: ({ pathname }) => termAt(pathname) })
  const [wanted, setWanted] = useState(false)
  // On the search screen, the address contains the search term. When the term changes, the field shows the new
  // term.
  const [typed, setTyped] = useState({ term, query: term ?? '' })
  if (typed.term !== term) setTyped({ term, query: term ?? '' })
  const { query } = typed
  const open = wanted || term !== undefined

  // Whether suggestions are shown. False until the viewer types or opens the box, because the search screen always
  // has an open box.
  const [suggests, setSuggests] = useState(false)
  const done = useCallback(() => setSuggests(false), [])

  useDismiss(
    place,
    wanted,
    useCallback(() => setWanted(false), []),
    trigger,
  )

  const toggle = useLocked(
    useCallback(() => {
      setWanted(!open)
      setSuggests(!open)
      if (open) trigger.current?.focus()
      else requestAnimationFrame(() => input.current?.focus())
    }, [open]),
    SHELL_TIMES.searchLockMs,
  )

  function submit(event: FormEvent): void {
    event.preventDefault()
    const slug = query.trim().toLowerCase()
    if (slug === '') return
    setSuggests(false)
    void navigate({ to: pathOf('search', { slug }) })
  }

  return (
    <search ref={place} className={styles.search} data-open={open}>
      <form className={styles.form} onSubmit={submit}>
        <button
          ref={trigger}
          type="button"
          className={styles.button}
          aria-label={t(open ? 'shell.closeSearch' : 'shell.openSearch')}
          aria-expanded={open}
          aria-controls={field}
          onClick={toggle}
        >
          <SearchIcon />
        </button>
        <input
          ref={input}
          id={field}
          type="search"
          className={styles.field}
          aria-label={t('shell.search')}
          placeholder={t('shell.searchFor')}
          maxLength={TEXTS.searchMax}
          autoComplete="off"
          enterKeyHint="search"
          tabIndex={open ? 0 : -1}
          aria-hidden={!open}
          value={query}
          onChange={({ target }) => {
            setTyped({ term, query: target.value })
            setSuggests(true)
          }}
        />
        {open && query !== '' && (
          <button
            type="button"
            className={styles.button}
            aria-label={t('shell.clearSearch')}
            onClick={() => {
              setTyped({ term, query: '' })
              setSuggests(true)
              input.current?.focus()
            }}
          >
            <CloseIcon />
          </button>
        )}
      </form>
      {open && suggests && (
        <Suspense>
          <Suggestions input={input} query={query} onDone={done} />
        </Suspense>
      )}
    </search>
  )
}

/**
 * Returns the term of the search screen; empty on a search screen without a term. Undefined on any other screen.
 */
function termAt(pathname: string): string | undefined {
  const route = routeAt(pathname)
  if (!keepsSearchOpen(route?.name)) return undefined
  return (route?.name === 'search' && route.parameters.slug) || ''
}
