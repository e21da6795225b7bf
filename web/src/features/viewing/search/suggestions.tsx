import { LAYOUT, TEXTS } from '@ondine/contract/constants'
import type { OutputOf } from '@ondine/contract/operation'
import type { SearchResult, search } from '@ondine/contract/search'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type RefObject, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { CloseIcon } from '../../../design/icons/icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { kindText } from '../../content/editorial/type-text.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { Marked } from './marked.tsx'
import { suggestionsQuery } from './queries.ts'
import { resultKey, resultPath, resultTitle, titleKind } from './results.ts'
import { searchPath } from './search-address.ts'
import styles from './suggestions.module.css'
import { useRecentSearches } from './use-recent-searches.ts'

/**
 * The list below a search field: results while the viewer types, recent searches while the field is empty. With a
 * list, the field is a combobox. Arrow keys move through the list, Enter opens the highlighted entry, and Escape
 * closes the list. This code loads when a search field opens, so that no page waits for it.
 *
 * @param onDone called when the viewer has chosen an entry
 */
export default function Suggestions({
  input,
  query,
  onDone,
}: {
  input: RefObject<HTMLInputElement | null>
  query: string
  onDone: () => void
}) {
  const { search } = useConfiguration()
  const focused = useFocused(input)
  const typed = query.trim().slice(0, TEXTS.searchMax)
  const term = useSettled(typed, LAYOUT.fetchDelayMs)
  if (!focused) return null
  if (query.trim() === '') return <RecentSearches input={input} onDone={onDone} />
  if (term === '' || search.suggestions === 0) return null
  return (
    <Found input={input} term={term} isTyping={term !== typed} count={search.suggestions} onDone={onDone} />
  )
}

function Found({
  input,
  term,
  isTyping,
  count,
  onDone,
}: {
  input: RefObject<HTMLInputElement | null>
  term: string
  /**
   * Whether the text of the field differs from `term`, for which the suggestions are fetched, because the viewer is
   * typing.
   */
  isTyping: boolean
  count: number
  onDone: () => void
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const list = useId()
  const { data, isPlaceholderData } = useQuery({
    ...suggestionsQuery(term, count),
    placeholderData: keepPreviousData,
  })
  // The state includes its term, because an entry stays highlighted only among the suggestions for that term.
  const [state, setState] = useState({ term, lit: -1, closed: false })
  const { lit, closed } = state.term === term ? state : { lit: -1, closed: false }
  const groups = closed || data === undefined ? [] : groupsOf(data, count, t)
  const options = groups.flatMap((group) => group.options)
  const open = options.length > 0
  const chosen = options[lit]

  useEffect(() => {
    const field = input.current
    if (field === null) return undefined
    const attributes: Record<string, string | undefined> = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(open),
      'aria-controls': open ? list : undefined,
      'aria-activedescendant': chosen === undefined ? undefined : `${list}-${lit}`,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined) field.removeAttribute(name)
      else field.setAttribute(name, value)
    }
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name)
    }
  }, [input, list, open, chosen, lit])

  useEffect(() => {
    const field = input.current
    if (field === null || !open) return undefined
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      if (step !== undefined) {
        // The field itself is one more position, at which no entry is highlighted.
        const places = options.length + 1
        setState({ term, lit: ((lit + 1 + step + places) % places) - 1, closed: false })
      } else if (event.key === 'Enter' && chosen !== undefined) {
        void navigate({ to: chosen.path })
        onDone()
      } else if (event.key === 'Escape') {
        setState({ term, lit: -1, closed: true })
      } else return
      event.preventDefault()
      // Otherwise the bar would also handle the key, and close the search box or move the focus.
      event.stopPropagation()
    }
    field.addEventListener('keydown', onKey)
    return () => field.removeEventListener('keydown', onKey)
  }, [input, open, options.length, chosen, navigate, onDone, term, lit])

  return (
    <>
      <output className={UNSEEN}>
        {data === undefined
          ? ''
          : options.length === 0
            ? t('search.noSuggestions')
            : t('search.suggestionCount', { count: options.length })}
      </output>
      {open && (
        // A press in the list must not move the focus out of the field. Otherwise, the list would close before the
        // press ends.
        <div
          className={styles.panel}
          data-outdated={isTyping || isPlaceholderData || undefined}
          onMouseDown={(event) => event.preventDefault()}
          role="presentation"
        >
          <div id={list} {...LIST} aria-label={t('search.suggestions')}>
            {groups.map(({ name, options: grouped }) => (
              <div key={name} {...GROUP} aria-label={name} className={styles.list}>
                {groups.length > 1 && (
                  <span className={styles.heading} aria-hidden>
                    {name}
                  </span>
                )}
                {grouped.map((option) => {
                  const index = options.indexOf(option)
                  return (
                    // The link never has the focus, because the field keeps it and handles the keys above.
                    <BareLink
                      key={option.key}
                      id={`${list}-${index}`}
                      {...OPTION}
                      aria-selected={index === lit}
                      to={option.path}
                      tabIndex={-1}
                      className={`${styles.option} ${styles.link}`}
                      onPointerMove={() => setState({ term, lit: index, closed: false })}
                      onClick={onDone}
                    >
                      <span className={styles.title} dir="auto">
                        <Marked text={option.title} wanted={data?.highlight ?? []} />
                      </span>
                      <span className={styles.kind}>{option.kind}</span>
                    </BareLink>
                  )
                })}
              </div>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

interface Option {
  key: string
  path: string
  title: string
  kind: string
}

/**
 * At most one in this many suggestions is an article. More articles are shown only if the titles do not fill the
 * list.
 */
const TITLES_PER_ARTICLE = 3

/** Groups `count` suggestions by kind, like the page of results. Leaves out empty groups. */
function groupsOf(
  { items, articles }: Pick<OutputOf<typeof search>, 'items' | 'articles'>,
  count: number,
  t: TFunction,
): { name: string; options: Option[] }[] {
  const most = Math.max(Math.floor(count / TITLES_PER_ARTICLE), count - items.length)
  const read = articles.slice(0, most)
  return [
    {
      name: t('search.results'),
      options: items.slice(0, count - read.length).map((result) => ({
        key: resultKey(result),
        path: resultPath(result),
        title: resultTitle(result),
        kind: kindOf(result, t),
      })),
    },
    {
      name: t('search.articles'),
      options: read.map(({ id, detailRoute, title, type }) => ({
        key: `article ${id}`,
        path: detailRoute,
        title,
        kind: kindText(type, t),
      })),
    },
  ].filter(({ options }) => options.length > 0)
}

// Roles of a combobox according to WAI-ARIA. The elements `datalist` and `option` cannot contain links.
const LIST = { role: 'listbox' } as const
const GROUP = { role: 'group' } as const
const OPTION = { role: 'option' } as const

const STEPS: Record<string, number | undefined> = { ArrowDown: 1, ArrowUp: -1 }

function kindOf({ item }: SearchResult, t: TFunction): string {
  return item.type === 'asset' ? titleKind(item.payload, t) : t(KINDS[item.type])
}

const KINDS = {
  series: 'kind.seriesPlain',
  channel: 'search.channel',
  programme: 'kind.programme',
} as const

/** The recent searches. Each search has a link that repeats it, and a button that removes it. */
function RecentSearches({
  input,
  onDone,
}: {
  input: RefObject<HTMLInputElement | null>
  onDone: () => void
}) {
  const { t } = useTranslation()
  const { recent, forget } = useRecentSearches()
  if (recent.length === 0) return null
  return (
    <div className={styles.panel} onMouseDown={(event) => event.preventDefault()} role="presentation">
      <fieldset className={styles.group}>
        <legend className={styles.heading}>{t('search.recent')}</legend>
        <ul className={styles.list}>
          {recent.map((term) => (
            <li key={term} className={`${styles.option} ${styles.recent}`}>
              <BareLink to={searchPath(term) ?? '/'} className={styles.link} onClick={onDone}>
                <span className={styles.title} dir="auto">
                  {term}
                </span>
              </BareLink>
              <button
                type="button"
                className={styles.forget}
                aria-label={t('search.forget', { term })}
                onClick={() => {
                  forget(term)
                  input.current?.focus()
                }}
              >
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      </fieldset>
    </div>
  )
}

/** Returns whether the focus is in the field or in its list. */
function useFocused(input: RefObject<HTMLInputElement | null>): boolean {
  const [focused, setFocused] = useState(true)
  useEffect(() => {
    const field = input.current
    const place = field?.closest('search') ?? field?.form
    if (!place) return undefined
    const look = () => setFocused(place.contains(document.activeElement))
    // `focusout` is dispatched before the next element has the focus, so the focus is read one frame later.
    const later = () => requestAnimationFrame(look)
    look()
    place.addEventListener('focusin', look)
    place.addEventListener('focusout', later)
    return () => {
      place.removeEventListener('focusin', look)
      place.removeEventListener('focusout', later)
    }
  }, [input])
  return focused
}

/**
 * Returns the value after it has not changed for a number of milliseconds, so that typing does not cause a call
 * for each letter (V9-13).
 */
function useSettled(value: string, milliseconds: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}
