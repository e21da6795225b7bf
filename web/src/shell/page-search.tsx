import { TEXTS } from '@ondine/contract/constants'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchIcon } from '../design/icons/icons.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import styles from './page-search.module.css'

/** A search field within a page. A blank search term is not submitted (V5-01). */
export function PageSearch() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')

  function submit(event: FormEvent): void {
    event.preventDefault()
    const slug = query.trim().toLowerCase()
    if (slug !== '') void navigate({ to: pathOf('search', { slug }) })
  }

  return (
    <search className={styles.search}>
      <form className={styles.form} onSubmit={submit}>
        <input
          type="search"
          className={styles.field}
          aria-label={t('shell.search')}
          placeholder={t('shell.searchFor')}
          maxLength={TEXTS.searchMax}
          autoComplete="off"
          enterKeyHint="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <button type="submit" className={styles.button} aria-label={t('shell.submitSearch')}>
          <SearchIcon />
        </button>
      </form>
    </search>
  )
}
